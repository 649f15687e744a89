import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Button } from '../components/controls/button.js';
import { Empty } from '../components/messages/empty.js';

interface Props {
  /** Renders the children again when this changes. */
  readonly resetKey: string;
  readonly children: ReactNode;
}

/** Shows an error of the page instead of an empty page. */
export class ErrorBoundary extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    console.error(error, componentStack);
  }

  override componentDidUpdate(before: Props): void {
    if (before.resetKey !== this.props.resetKey && this.state.error) {
      this.setState({ error: undefined });
    }
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <Empty
        title="This page broke"
        actions={
          <Button look="primary" icon="rerun" onClick={() => location.reload()}>
            Load again
          </Button>
        }
      >
        <p>{error.message}</p>
        <p>Nothing is lost: the server has saved the finished results.</p>
      </Empty>
    );
  }
}

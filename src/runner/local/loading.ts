import { AssayError } from '../../errors.js';
import { descriptorsOf } from '../../protocol/descriptors.js';
import type {
  DescribedValues,
  Descriptor,
  EmptyFile,
  HostMessage,
  ImportFailure,
  LoadedModules,
} from '../../protocol/messages.js';
import { hostExitText, startFailureText } from './host-exit.js';
import type { HostExit } from './host-process.js';

/** Report of one process about the files it imported. */
export interface LoadedByWorker {
  readonly descriptors: readonly Descriptor[];
  readonly failures: readonly ImportFailure[];
  readonly empty: readonly EmptyFile[];
  /** See `LoadedFiles`; so is the next. */
  readonly code?: string | undefined;
  readonly modules?: LoadedModules | undefined;
  /** A project module names `node:fs`. */
  readonly readsFiles?: boolean;
  /** The process ended meanwhile: before the first file, or with the last failure. */
  readonly ended?: 'at-boot' | 'in-file';
  /** The reason why the process could not be started. */
  readonly startFailure?: Error;
}

export interface LoadingOptions {
  /** Milliseconds that one file may take without loading another module. */
  readonly deadlineMs: number;
  readonly redact: (text: string) => string;
  /** Called once for a file that takes long. */
  readonly onSlow: (file: string) => void;
  /** Called when a file takes too long: kill the process. */
  readonly onDeadline: () => void;
  readonly onLoaded: (loaded: LoadedByWorker) => void;
}

/** Milliseconds after which an import takes long. */
export const slowMs = 5000;

/** Tracks a process while it imports files. */
export class Loading {
  readonly #options: LoadingOptions;
  readonly #descriptors: Descriptor[] = [];
  readonly #failures: ImportFailure[] = [];
  readonly #empty: EmptyFile[] = [];
  #file: string | undefined;
  #modules: LoadedModules | undefined;
  #readsFiles = false;
  #isLate = false;
  #code: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #slowTimer: NodeJS.Timeout | undefined;

  constructor(options: LoadingOptions) {
    this.#options = options;
  }

  /** Returns true when the process has loaded everything. */
  receive(message: HostMessage): boolean {
    switch (message.type) {
      case 'importing':
        this.#import(message.file);
        return false;
      case 'imported':
        // Not push(...): a file may have more evaluations than the maximum number of arguments.
        for (const descriptor of descriptorsOf(message.group)) this.#descriptors.push(descriptor);
        return false;
      case 'import-failed':
        this.#failures.push(message);
        return false;
      case 'empty':
        this.#empty.push({ file: message.file, reason: message.reason });
        return false;
      case 'loaded':
        this.#code = message.code;
        this.#modules = message.modules;
        this.#readsFiles = message.readsFiles === true;
        this.#end();
        return true;
      default:
        return false;
    }
  }

  /** Called when the process ended early. */
  fail(exit: HostExit): void {
    const { deadlineMs, redact } = this.#options;
    const { failure } = exit;
    const how =
      failure === undefined ? hostExitText(exit, redact) : redact(startFailureText(failure));
    const message = this.#isLate
      ? `its import did not get on for ${deadlineMs / 1000} s; to wait longer, set import_timeout in assay.yaml`
      : this.#file === undefined
        ? how
        : `its import ended the process: ${how}`;
    this.#failures.push({ file: this.#file ?? '', message });
    this.#end(this.#file === undefined ? 'at-boot' : 'in-file', failure);
  }

  /** Stops its time while a debugger has stopped the process. */
  pause(): void {
    this.leave();
  }

  /** Restarts its time. */
  goOn(): void {
    if (this.#file !== undefined) this.#import(this.#file);
  }

  /** Called again whenever the file has loaded another module. */
  #import(file: string): void {
    if (file !== this.#file) {
      const { onSlow } = this.#options;
      clearTimeout(this.#slowTimer);
      this.#slowTimer = setTimeout(() => onSlow(file), slowMs);
    }
    this.#file = file;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#options.onDeadline();
    }, this.#options.deadlineMs);
  }

  /** Waits for nothing any more. */
  leave(): void {
    clearTimeout(this.#slowTimer);
    clearTimeout(this.#timer);
  }

  #end(ended?: LoadedByWorker['ended'], startFailure?: Error): void {
    this.leave();
    this.#options.onLoaded({
      descriptors: this.#descriptors,
      failures: this.#failures,
      empty: this.#empty,
      code: this.#code,
      modules: this.#modules,
      readsFiles: this.#readsFiles,
      ...(ended === undefined ? {} : { ended }),
      ...(startFailure === undefined ? {} : { startFailure }),
    });
  }
}

/** Receives values as they arrive; an error ends the describing. */
export type OnValues = (values: readonly DescribedValues[]) => void;

export interface DescribingOptions {
  /** The cases to describe, in this order. */
  readonly ids: readonly string[];
  readonly onValues: OnValues;
  /** Maximum milliseconds without any values. */
  readonly deadlineMs: number;
  /** Called when the deadline has passed: kill the process. */
  readonly onDeadline: () => void;
}

/** Tracks a process while it sends the authored values of cases. */
export class Describing {
  /** Resolves when all values have arrived. */
  readonly done: Promise<void>;
  readonly #options: DescribingOptions;
  #received = 0;
  #timer: NodeJS.Timeout | undefined;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(options: DescribingOptions) {
    this.#options = options;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#await();
  }

  /** Returns true when nothing more is expected. */
  receive(values: readonly DescribedValues[]): boolean {
    const { ids, onValues } = this.#options;
    try {
      onValues(values);
    } catch (error) {
      this.fail(error);
      return true;
    }
    this.#received += values.length;
    this.#await();
    if (this.#received < ids.length) return false;
    clearTimeout(this.#timer);
    this.#resolve();
    return true;
  }

  /** Called when the process ended early. */
  fail(error: unknown): void {
    clearTimeout(this.#timer);
    this.#reject(error);
  }

  /** Stops its time while a debugger has stopped the process. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  /** Restarts its time. */
  goOn(): void {
    this.#await();
  }

  /** Starts the timeout: reading a value may call user code that never returns. */
  #await(): void {
    const { ids, deadlineMs, onDeadline } = this.#options;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.fail(
        new AssayError(
          'discovery-failed',
          `Reading the values of ${ids[this.#received]}, or of a case after it, takes more than ${deadlineMs / 1000} s.`,
        ),
      );
      onDeadline();
    }, deadlineMs);
  }
}

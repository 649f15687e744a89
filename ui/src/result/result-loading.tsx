import { LoadingShapes } from '../components/messages/loading-shapes.js';
import type { WayBack } from './navigation/way-back.js';
import { EmptyBar } from './result-bar.js';
import body from './result-body.module.css';
import styles from './result-loading.module.css';

/** The top bar, and the shapes of title, values and scores, of a result that is being read. */
export function ResultLoading({ wayBack }: { wayBack: WayBack }) {
  return (
    <>
      <EmptyBar wayBack={wayBack} />
      <main>
        <h1 className="sr">Result</h1>
        <LoadingShapes what="the result">
          <div className={styles.head}>
            <i />
            <i />
          </div>
          <div className={body.columns}>
            <div className={body.main}>
              <div className={styles.text} />
              <div className={styles.text} />
            </div>
            <div className={styles.scores} />
          </div>
        </LoadingShapes>
      </main>
    </>
  );
}

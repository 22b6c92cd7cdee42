import { IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { RunButton } from '../RunButton.tsx';
import { useRun, useSession, useSetup } from '../session.ts';
import './notices.css';

interface NoticeProps {
  readonly tone: 'good' | 'info' | 'warning' | 'error';
  readonly text: string;
  readonly details: readonly string[];
  readonly action?: { readonly label: string; readonly perform: () => void };
  readonly onDismiss?: () => void;
}

const TONE_WORD = { good: '✓', info: 'ℹ', warning: '⚠', error: '✕' } as const;

function NoticeBar({ tone, text, details, action, onDismiss }: NoticeProps) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'error' ? 'alert' : 'status'}>
      <span className="notice-sign" aria-hidden="true">
        {TONE_WORD[tone]}
      </span>
      <div className="notice-body">
        <p>{text}</p>
        {details.length > 0 && (
          <ul>
            {details.map((line) => (
              <li key={line} className="ui-mono">
                {line}
              </li>
            ))}
          </ul>
        )}
      </div>
      {action !== undefined && <RunButton onPress={action.perform}>{action.label}</RunButton>}
      {onDismiss !== undefined && (
        <IconButton label="Dismiss" icon={<Icon name="close" />} look="plain" onPress={onDismiss} />
      )}
    </div>
  );
}

/** What the page has to say: faults of links and configurations, limits, digests. Never in the way of the picture. */
export function Notices() {
  const { run, rerun } = useSession();
  const notices = useRun((state) => state.notices);
  const error = useRun((state) => state.error);
  const isCancelled = useRun((state) => state.status === 'cancelled');
  const hasPicture = useRun((state) => state.summary !== undefined);
  const limit = useRun((state) => state.summary?.message);
  const problems = useSetup((setup) => setup.problems);
  const ineffective = useSetup((setup) => setup.notices);
  return (
    <div className="notices">
      {problems.length > 0 && (
        <NoticeBar
          tone="error"
          text="This configuration cannot be run; the picture shows the last one that could."
          details={problems.map(({ message }) => message)}
        />
      )}
      {ineffective.length > 0 && (
        <NoticeBar
          tone="info"
          text="Without effect, or not as it is set:"
          details={ineffective.map(({ message }) => message)}
        />
      )}
      {error !== undefined && <NoticeBar tone="error" text="The run failed." details={[error]} />}
      {isCancelled && (
        <NoticeBar
          tone="info"
          text={`The run was cancelled${hasPicture ? ': the picture shows the last one that ended' : ''}.`}
          details={[]}
          action={{ label: 'Run again', perform: rerun }}
        />
      )}
      {limit !== undefined && <NoticeBar tone="warning" text={limit} details={[]} />}
      {notices.map((notice) => (
        <NoticeBar key={notice.source} {...notice} onDismiss={() => run.dismiss(notice.source)} />
      ))}
    </div>
  );
}

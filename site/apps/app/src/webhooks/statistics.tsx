// How the receiver of a webhook responded lately: all together, and by the hour. Read when it is opened.
import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { hourText, percentText } from '../shared/format.ts';
import { Problem } from '../shared/parts.tsx';
import { WebhookFiguresDocument } from './operations.generated.ts';

/** Hours that are shown, of those with attempts. */
const HOURS = 24;

const duration = (milliseconds: number | null): string => (milliseconds === null ? '–' : `${milliseconds} ms`);

function Figures({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(WebhookFiguresDocument, { variables: { id }, fetchPolicy: 'cache-and-network' });
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  const statistics = data?.webhook?.statistics;
  if (!statistics) return <p className="hint">Reading …</p>;
  if (statistics.attempts === 0) return <p className="empty">No attempts yet.</p>;
  const { attempts, successRate, p50, p95, hours } = statistics;
  const total = [
    ['Attempts', attempts],
    ['Succeeded', percentText(successRate)],
    ['Median', duration(p50)],
    ['95th percentile', duration(p95)],
  ];
  return (
    <>
      <dl className="counts">
        {total.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <table className="numbers">
        <thead>
          <tr>
            <th scope="col">Hour</th>
            <th scope="col">Succeeded</th>
            <th scope="col">95th p.</th>
          </tr>
        </thead>
        <tbody>
          {hours.slice(0, HOURS).map((hour) => (
            <tr key={hour.hour}>
              <th scope="row">{hourText(hour.hour)}</th>
              <td>
                {percentText(hour.successRate)} of {hour.attempts}
              </td>
              <td>{duration(hour.p95)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The statistics of a webhook, closed at first. */
export function Statistics({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="statistics" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Delivery statistics</summary>
      {isOpen ? <Figures id={id} /> : null}
    </details>
  );
}

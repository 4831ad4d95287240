// The charts: invoiced by month, and the sum of each status. Drawn as SVG, and readable as tables.
import { amountText, monthText, shortAmount, wordsOf } from '../shared/format.ts';
import { Numbers } from './numbers.tsx';
import type { DocumentStatus } from './operations.generated.ts';
import { added, monthsOf, statusesOf, type Total } from './totals.ts';

const WIDTH = 640;
const HEIGHT = 220;
const BASE = HEIGHT - 26;
const TOP = 22;
const LEFT = 4;

function MonthChart({ totals, currency }: { totals: readonly Total[]; currency: string | null }) {
  const months = monthsOf(totals);
  const highest = Math.max(...months.map(({ amount }) => Number(amount)), 1);
  const step = (WIDTH - LEFT) / Math.max(months.length, 1);
  const barWidth = Math.min(step * 0.62, 72);
  return (
    <figure className="panel">
      <figcaption className="bar">
        <h2>Invoiced by month</h2>
        <ul className="legend">
          {statusesOf(totals).map(({ status }) => (
            <li key={status} className={`status-${status}`}>
              {wordsOf(status)}
            </li>
          ))}
        </ul>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Invoiced in each of ${months.length} months; the table below has the numbers`}
      >
        <line x1="0" x2={WIDTH} y1={BASE} y2={BASE} className="axis" />
        {months.map(({ month, amount, parts }, index) => {
          const x = LEFT + step * index + (step - barWidth) / 2;
          let y = BASE;
          return (
            <g key={month}>
              {parts.map((part) => {
                const height = (Number(part.amount) / highest) * (BASE - TOP);
                y -= height;
                return (
                  <rect key={part.status} x={x} y={y} width={barWidth} height={Math.max(height, 0)} className={`status-${part.status}`}>
                    <title>{`${monthText(month)}, ${wordsOf(part.status)}: ${amountText(part.amount, currency)}`}</title>
                  </rect>
                );
              })}
              <text x={x + barWidth / 2} y={y - 6} textAnchor="middle" className="value">
                {Number(amount) > 0 ? shortAmount(amount, currency) : ''}
              </text>
              <text x={x + barWidth / 2} y={HEIGHT - 7} textAnchor="middle">
                {monthText(month)}
              </text>
            </g>
          );
        })}
      </svg>
      <Numbers
        columns={['Month', 'Invoices', 'Total', 'Still due']}
        rows={months.map(({ month, count, amount, due }) => [
          monthText(month),
          count,
          amountText(amount, currency),
          amountText(due, currency),
        ])}
      />
    </figure>
  );
}

/** The bars of the statuses; each also chooses its status for the table. */
function StatusChart({
  totals,
  currency,
  chosen,
  onChoose,
}: {
  totals: readonly Total[];
  currency: string | null;
  chosen: DocumentStatus | null;
  onChoose: (status: DocumentStatus | null) => void;
}) {
  const statuses = statusesOf(totals);
  const highest = Math.max(...statuses.map(({ amount }) => Number(amount)), 1);
  return (
    <section className="panel" aria-labelledby="by-status">
      <h2 id="by-status">By status</h2>
      <ul className="bars">
        {statuses.map(({ status, count, amount }) => (
          <li key={status}>
            <button type="button" aria-pressed={status === chosen} onClick={() => onChoose(status === chosen ? null : status)}>
              <span className="name">
                {wordsOf(status)} <span className="count">{count}</span>
              </span>
              <span className="amount">{amountText(amount, currency)}</span>
              <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                <rect width="100" height="6" className="track" />
                <rect width={(Number(amount) / highest) * 100} height="6" className={`status-${status}`} />
              </svg>
            </button>
          </li>
        ))}
      </ul>
      <p className="hint">Choose a status to see its invoices below.</p>
    </section>
  );
}

/** The totals of one currency: three numbers and two charts. */
export function Charts(props: {
  byStatus: readonly Total[];
  byMonth: readonly Total[];
  currency: string | null;
  chosen: DocumentStatus | null;
  onChoose: (status: DocumentStatus | null) => void;
}) {
  const { byStatus, byMonth, currency, chosen, onChoose } = props;
  const all = added(byStatus);
  const overdue = added(byStatus.filter(({ status }) => status === 'OVERDUE'));
  return (
    <>
      <dl className="tiles">
        <div>
          <dt>Invoiced</dt>
          <dd>{amountText(all.amount, currency)}</dd>
          <dd className="hint">{all.count} invoices</dd>
        </div>
        <div>
          <dt>Still due</dt>
          <dd>{amountText(all.due, currency)}</dd>
          <dd className="hint">of all that is invoiced</dd>
        </div>
        <div>
          <dt>Overdue</dt>
          <dd>{amountText(overdue.due, currency)}</dd>
          <dd className="hint">{overdue.count} invoices</dd>
        </div>
      </dl>
      <div className="charts">
        <MonthChart totals={byMonth} currency={currency} />
        <StatusChart totals={byStatus} currency={currency} chosen={chosen} onChoose={onChoose} />
      </div>
    </>
  );
}

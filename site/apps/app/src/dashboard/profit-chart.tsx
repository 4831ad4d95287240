// Income and expenses by month, drawn as SVG and readable as a table.
import { amountText, monthText } from '../shared/format.ts';
import { Numbers } from './numbers.tsx';

const WIDTH = 640;
const HEIGHT = 220;
const TOP = 22;
const BOTTOM = HEIGHT - 26;

export interface Month {
  readonly from: string;
  readonly income: string;
  readonly expenses: string;
  readonly profit: string;
}

const series = ['income', 'expenses'] as const;
const names = { income: 'Income', expenses: 'Expenses' } as const;

export function ProfitChart({ months, currency }: { months: readonly Month[]; currency: string | null }) {
  const amounts = months.flatMap((month) => series.map((name) => Number(month[name])));
  const [highest, lowest] = [Math.max(...amounts, 0), Math.min(...amounts, 0)];
  const scale = (BOTTOM - TOP) / (highest - lowest || 1);
  const zero = TOP + highest * scale;
  const step = WIDTH / months.length;
  const bar = step * 0.32;
  return (
    <figure className="panel">
      <figcaption className="bar">
        <h2>Income and expenses by month</h2>
        <ul className="legend">
          {series.map((name) => (
            <li key={name} className={name}>
              {names[name]}
            </li>
          ))}
        </ul>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Income and expenses of ${months.length} months; the table below has the numbers`}
      >
        {months.map((month, index) => (
          <g key={month.from}>
            {series.map((name, place) => {
              const height = Number(month[name]) * scale;
              return (
                <rect
                  key={name}
                  className={name}
                  x={step * index + step * 0.16 + place * (bar + step * 0.04)}
                  y={height > 0 ? zero - height : zero}
                  width={bar}
                  height={Math.abs(height)}
                >
                  <title>{`${monthText(month.from)}, ${names[name].toLowerCase()}: ${amountText(month[name], currency)}`}</title>
                </rect>
              );
            })}
            {index % 2 === (months.length - 1) % 2 ? (
              <text x={step * (index + 0.5)} y={HEIGHT - 7} textAnchor="middle">
                {monthText(month.from)}
              </text>
            ) : null}
          </g>
        ))}
        <line x1="0" x2={WIDTH} y1={zero} y2={zero} className="axis" />
      </svg>
      <Numbers
        columns={['Month', 'Income', 'Expenses', 'Net profit']}
        rows={months.map(({ from, ...amounts }) => [
          monthText(from),
          ...[amounts.income, amounts.expenses, amounts.profit].map((amount) => amountText(amount, currency)),
        ])}
      />
    </figure>
  );
}

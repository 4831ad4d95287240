// The numbers of a chart as a table, which its reader can open.
interface NumbersProps {
  /** The names of the columns. */
  columns: readonly string[];
  /** The cells of each row; the first one names it. */
  rows: readonly (readonly (string | number)[])[];
}

export function Numbers({ columns, rows }: NumbersProps) {
  return (
    <details>
      <summary>Numbers</summary>
      <div className="wide">
        <table className="numbers">
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...cells]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {cells.map((cell, place) => (
                  <td key={columns[place + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

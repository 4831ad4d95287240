// Redocly's linter reports warnings with exit status 0; here they fail too.
// node redocly.ts <document>...
import { spawnSync } from 'node:child_process';

interface Report {
  totals: { errors: number; warnings: number };
  problems: { ruleId: string; message: string; location: { pointer: string }[] }[];
}

let problems = 0;
for (const document of process.argv.slice(2)) {
  const { stdout } = spawnSync('npx', ['redocly', 'lint', '--format=json', document], { encoding: 'utf8' });
  const report = JSON.parse(stdout) as Report;
  for (const { ruleId, message, location } of report.problems) console.log(`${ruleId}  ${document} ${location[0]?.pointer}: ${message}`);
  problems += report.totals.errors + report.totals.warnings;
}
console.log(`${problems} errors or warnings`);
process.exitCode = problems > 0 ? 1 : 0;

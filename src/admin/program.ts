// The program of all administration commands: those that call the running gateway, those on the database of a stopped one, and those that need
// neither.
import { Command } from 'commander';
import type { Config } from '../config.ts';
import { programVersion } from '../runtime/package-root.ts';
import { localOrigin } from '../security/signed-urls.ts';
import { auditCommands } from './audit.ts';
import { callerOf } from './caller.ts';
import { connectionCommands } from './connections.ts';
import { connectorCommands } from './connectors.ts';
import { customsCommands } from './customs.ts';
import { databaseCommands } from './database.ts';
import { distributionCommands } from './distribute.ts';
import { doctorCommand } from './doctor.ts';
import { explainCommand } from './explain.ts';
import { geocodeCommand } from './geocode.ts';
import { keyCommands } from './keys.ts';
import { listCommands } from './lists.ts';
import { migrateCommand } from './migrate.ts';
import { moveCommand } from './move.ts';
import { Printer } from './print.ts';
import { recordCommands } from './records.ts';
import { resealCommand } from './reseal.ts';

/** The program with every command. */
export function adminProgram(config: Config): Command {
  const program = new Command('admin')
    .description('Administer a gateway.')
    .version(programVersion, '--version', 'print the version of the program')
    .option('--json', 'print results as JSON, one value per line')
    .option('--url <address>', 'address of the gateway; default the one on this machine', localOrigin(config))
    .option('--token <token>', 'admin token or a key with the role ADMIN; default ADMIN_TOKEN')
    .option('--key <key>', 'key of an organisation, for commands on its records');
  program.setOptionValueWithSource('token', config.adminToken, 'env');
  const caller = callerOf(program);
  const printer = new Printer(() => program.opts<{ json?: boolean }>().json === true);
  keyCommands(program, caller, printer);
  recordCommands(program, caller, printer);
  customsCommands(program, config, caller, printer);
  listCommands(program, caller, printer);
  auditCommands(program, caller, printer);
  connectionCommands(program, caller, printer);
  connectorCommands(program, config, printer);
  databaseCommands(program, config, printer);
  migrateCommand(program, config, printer);
  moveCommand(program, config, printer);
  distributionCommands(program, config, printer);
  resealCommand(program, config, printer);
  doctorCommand(program, config, printer);
  explainCommand(program, config, printer);
  geocodeCommand(program, printer);
  return program;
}

// The program of all administration commands: those that call the running gateway, those on the database while it is stopped, and those that need neither.
import { Command } from 'commander';
import type { Config } from '../config.ts';
import { localOrigin } from '../security/signed-urls.ts';
import { callerOf } from './caller.ts';
import { customsCommands } from './customs.ts';
import { databaseCommands } from './database.ts';
import { doctorCommand } from './doctor.ts';
import { geocodeCommand } from './geocode.ts';
import { keyCommands } from './keys.ts';
import { recordCommands } from './records.ts';

/** The program with every command. */
export function adminProgram(config: Config): Command {
  const program = new Command('admin')
    .description('Administer a gateway.')
    .option('--url <address>', 'address of the gateway; default the one on this machine', localOrigin(config))
    .option('--token <token>', 'admin token or a key with the role ADMIN; default ADMIN_TOKEN')
    .option('--key <key>', 'key of an organisation, for commands on its records');
  program.setOptionValueWithSource('token', config.adminToken, 'env');
  const caller = callerOf(program);
  keyCommands(program, caller);
  recordCommands(program, caller);
  customsCommands(program, caller);
  databaseCommands(program, config);
  doctorCommand(program, config);
  geocodeCommand(program);
  return program;
}

// Command `npm run admin -- …`: an administrator's tasks.
import { adminProgram } from './admin/program.ts';
import { type Config, ConfigError, readConfig } from './config.ts';

function settings(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`The settings cannot be used:\n${error.message.replaceAll(/^/gm, '  ')}`);
    process.exit(1);
  }
}

await adminProgram(settings()).parseAsync();

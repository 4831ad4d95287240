// The settings of a command: read from the environment, or printed with their faults as the end of the process.
import { type Config, ConfigError, readConfig, unknownSettings } from './config.ts';

/** The configuration; ends the process with status 1 when it cannot be used. */
export function settings(): Config {
  for (const [name, meant] of unknownSettings())
    console.error(`${name} is no setting of the gateway and has no effect${meant ? `; ${meant} may be meant` : ''}.`);
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`The settings cannot be used:\n${error.message.replaceAll(/^/gm, '  ')}`);
    process.exit(1);
  }
}

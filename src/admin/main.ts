// Command `npm run admin -- …`: an administrator's tasks.

import { configOrExit } from '../config.ts';
import { adminProgram } from './program.ts';

await adminProgram(configOrExit()).parseAsync();

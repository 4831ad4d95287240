// Command `npm run admin -- …`: an administrator's tasks.
import { adminProgram } from './admin/program.ts';
import { settings } from './settings.ts';

await adminProgram(settings()).parseAsync();

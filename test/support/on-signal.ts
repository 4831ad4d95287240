// Loaded into a program under test with `--import`, for what no caller can bring about: SIGUSR2 collects garbage, so that what is held can be told
// from what waits to be collected; SIGURG raises an error that nobody handles, of the kind that UNHANDLED names.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

process.on('SIGUSR2', () => {
  // The second collection takes what finalizers of the first have let go.
  collectGarbage();
  collectGarbage();
});

process.on('SIGURG', () => {
  const error = new Error('nobody handles this');
  if (process.env.UNHANDLED === 'rejection') void Promise.reject(error);
  else throw error;
});

// Loaded into a program under test with `--import`, for events that no caller can cause. SIGUSR2 collects garbage, so that memory in use can be
// distinguished from garbage. SIGURG raises an unhandled error, an exception or a rejection as the variable UNHANDLED says.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

process.on('SIGUSR2', () => {
  // The second collection frees what the finalizers of the first have released.
  collectGarbage();
  collectGarbage();
});

process.on('SIGURG', () => {
  const error = new Error('no handler for this');
  if (process.env.UNHANDLED === 'rejection') void Promise.reject(error);
  else throw error;
});

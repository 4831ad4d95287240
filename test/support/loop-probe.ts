// Loaded into a program under test with `--import`. On SIGUSR2 it reports the longest turn of its event loop since the last time, in milliseconds of
// the CPU of its main thread, which other processes of the machine do not change.
const EVERY_MS = 5;

let longest = 0;
let before = process.threadCpuUsage();
const used = (): number => {
  const { user, system } = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  return (user + system) / 1_000;
};

setInterval(() => {
  longest = Math.max(longest, used());
}, EVERY_MS).unref();

process.on('SIGUSR2', () => {
  console.log(`held ${Math.max(longest, used()).toFixed(1)} ms`);
  longest = 0;
});

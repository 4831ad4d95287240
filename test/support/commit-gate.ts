// Stands between a coordinator and a worker. It loses the worker between the two phases of a commit, when the coordinator has committed.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CommitGate {
  port: number;
  /** Loses the worker at the next second phase of a commit; resolves once it is lost. */
  loseNextCommit(): Promise<void>;
  /** Lets connections through again. */
  open(): void;
  close(): void;
}

/** Opens a gate to the server at a port. */
export async function openCommitGate(target: number): Promise<CommitGate> {
  const sockets = new Set<Socket>();
  let onLost: (() => void) | undefined;
  let isLost = false;
  const lose = (): void => {
    isLost = true;
    for (const socket of sockets) socket.destroy();
    onLost?.();
    onLost = undefined;
  };
  const server = createServer((coordinator) => {
    if (isLost) return void coordinator.destroy();
    const worker = connect(target, '127.0.0.1');
    for (const socket of [coordinator, worker]) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket);
          coordinator.destroy();
          worker.destroy();
        });
    }
    coordinator.on('data', (sent) => {
      if (onLost && sent.includes('COMMIT PREPARED')) lose();
      else worker.write(sent);
    });
    worker.on('data', (sent) => coordinator.write(sent));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    loseNextCommit: () =>
      new Promise((resolve) => {
        onLost = resolve;
      }),
    open() {
      isLost = false;
    },
    close() {
      lose();
      server.close();
    },
  };
}

// What /metrics of a server shows its operator, for tests and benchmarks.

/** The text of `/metrics`, read with an operator's token over a connection of its own. */
export async function metricsOf(origin: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, connection: 'close' };
  return (await fetch(`${origin}/metrics`, { headers })).text();
}

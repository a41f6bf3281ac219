// A proxy in front of a server that can hold a pipeline before a write, or drop the response after a write, so that the pipeline can be
// killed between both.
import { createServer, request as send } from 'node:http';

/** Starts a proxy in front of the server at `target`. */
export async function startWire(target: string) {
  const { hostname, port: to } = new URL(target);
  let cut: { writes: number; then: () => void } | undefined;
  let held: { readonly reached: () => void; readonly until: Promise<void> } | undefined;
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    if (cut !== undefined && cut.writes <= 0) return;
    if (method !== 'GET' && held !== undefined) {
      held.reached();
      await held.until;
    }
    const isCut = method !== 'GET' && cut !== undefined && --cut.writes === 0;
    const onward = send({ hostname, port: to, method, path: url, headers }, answer => {
      if (isCut) {
        answer.resume().on('end', () => cut?.then());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Drops the response to the write of this number, and everything after it. Resolves once the server has done that write. */
    cutAt: (writes: number) =>
      new Promise<void>(then => {
        cut = { writes, then };
      }),
    /** Holds all writes until `go` is called. `reached` resolves at the first write. */
    hold: () => {
      const until = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      held = { reached: reached.resolve, until: until.promise };
      const go = () => {
        held = undefined;
        until.resolve();
      };
      return { reached: reached.promise, go };
    },
    heal: () => {
      cut = undefined;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise(done => server.close(done));
    },
  };
}

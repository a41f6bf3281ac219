// Real servers on loopback for what only a socket can show: slow bodies, proxies, certificates, addresses.
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { onTestFinished } from 'vitest';
import type { Certificate } from './certificate.ts';

/** Whether this machine has the loopback address of IPv6. */
export const HAS_IPV6 = Object.values(networkInterfaces())
  .flat()
  .some(address => address?.address === '::1');

/** Answers every request with an empty list, and writes down what it was asked. */
export function listing(asked: string[]): RequestListener {
  return (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json').end('[]');
  };
}

/** Serves for as long as the test runs; resolves to the port. */
export async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<number> {
  return portOf(createServer(listener), host);
}

/** Serves over TLS for as long as the test runs; resolves to the port. */
export async function serveTls(listener: RequestListener, own: Certificate): Promise<number> {
  return portOf(createTlsServer({ ...own }, listener), '127.0.0.1');
}

/**
 * A proxy that leads every tunnel to `port`, and writes down whereto it was asked. Resolves to its address, which is
 * that of a host with a certificate where it has one.
 */
export async function serveProxy(
  port: number,
  asked: string[],
  own?: Certificate,
): Promise<string> {
  const proxy = own ? createTlsServer({ ...own }, listing(asked)) : createServer(listing(asked));
  proxy.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [onward, socket]) end.on('error', () => onward.destroy());
  });
  const open = await portOf(proxy, '127.0.0.1');
  return own ? `https://localhost:${open}` : `http://127.0.0.1:${open}`;
}

/** A proxy that lets nobody through. Resolves to its address. */
export async function serveClosedProxy(): Promise<string> {
  const proxy = createServer();
  proxy.on('connect', (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
  return `http://127.0.0.1:${await portOf(proxy, '127.0.0.1')}`;
}

function portOf(server: Server, host: string): Promise<number> {
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new Promise(resolve => {
    server.listen(0, host, () => resolve((server.address() as AddressInfo).port));
  });
}

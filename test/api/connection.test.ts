// The way to the server as the environment has it: proxies, private certificates, address prefixes, IPv6.
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { dispatcher } from '../../src/api/transport/dispatcher.ts';
import { readTransport, writeTransport } from '../../src/api/transport/transport.ts';
import { failureOf, ONCE, options } from './calls.ts';
import { selfSigned } from './certificate.ts';
import { HAS_IPV6, listing, serve, serveClosedProxy, serveProxy, serveTls } from './loopback.ts';

const HOST = 'overlay.example.com';
const certificate = selfSigned(HOST);

const PROXY_VARIABLES = [
  'http_proxy',
  'HTTP_PROXY',
  'https_proxy',
  'HTTPS_PROXY',
  'no_proxy',
  'NO_PROXY',
];

beforeEach(() => {
  for (const name of PROXY_VARIABLES) vi.stubEnv(name, undefined);
  return () => vi.unstubAllEnvs();
});

/** Options of a transport over a connection of the house's own making, which ends with the test. */
function over(url: string, ca?: string) {
  const connection = dispatcher(ca === undefined ? {} : { ca });
  onTestFinished(() => connection.destroy());
  return { ...options(), url, dispatcher: connection, retry: ONCE };
}

describe('the address of the server', () => {
  test('may have a path, which prefixes every request', async () => {
    const asked: string[] = [];
    const port = await serve(listing(asked));
    await readTransport(over(`http://127.0.0.1:${port}/overlay/v2`)).get('/api/groups');
    expect(asked).toEqual(['GET /overlay/v2/api/groups']);
  });

  test.skipIf(!HAS_IPV6)('may be an IPv6 address', async () => {
    const asked: string[] = [];
    const port = await serve(listing(asked), '::1');
    expect(await readTransport(over(`http://[::1]:${port}`)).get('/api/groups')).toEqual([]);
    expect(asked).toEqual(['GET /api/groups']);
  });

  test('an address where nothing listens is reported in words, and a POST was not sent', async () => {
    const { write } = writeTransport(over('http://127.0.0.1:1'));
    expect(await failureOf(write('POST', '/api/groups', {}))).toMatchObject({
      code: 'API_NETWORK',
      mayHaveHappened: false,
      message: 'POST /api/groups failed: connection refused',
    });
  });

  test('an address that does not use https is reported in words', async () => {
    const port = await serve(listing([]));
    const { write } = writeTransport(over(`https://127.0.0.1:${port}`));
    expect(await failureOf(write('POST', '/api/groups', {}))).toMatchObject({
      retryable: false,
      mayHaveHappened: false,
      message: 'POST /api/groups failed: it does not speak https',
    });
  });
});

describe('a proxy', () => {
  test('the proxy in HTTP_PROXY is used for plain HTTP', async () => {
    const asked: string[] = [];
    vi.stubEnv('HTTP_PROXY', await serveProxy(0, asked));
    expect(await readTransport(over(`http://${HOST}`)).get('/api/groups')).toEqual([]);
    expect(asked).toEqual([`GET http://${HOST}/api/groups`]);
  });

  test('the proxy in HTTPS_PROXY tunnels to a server whose own certificate is verified', async () => {
    const asked: string[] = [];
    const tunnels: string[] = [];
    const port = await serveTls(listing(asked), certificate);
    vi.stubEnv('HTTPS_PROXY', await serveProxy(port, tunnels));
    const { get } = readTransport(over(`https://${HOST}`, certificate.cert));
    expect(await get('/api/groups')).toEqual([]);
    expect(tunnels).toEqual([`CONNECT ${HOST}:443`]);
    expect(asked).toEqual(['GET /api/groups']);
  });

  test('may have its own certificate, which is accepted once it is given', async () => {
    const own = selfSigned('localhost');
    const tunnels: string[] = [];
    const port = await serveTls(listing([]), certificate);
    vi.stubEnv('HTTPS_PROXY', await serveProxy(port, tunnels, own));
    const through = (ca: string) => readTransport(over(`https://${HOST}`, ca)).get('/api/groups');
    expect(await failureOf(through(certificate.cert))).toMatchObject({ code: 'API_UNTRUSTED' });
    expect(await through(`${certificate.cert}${own.cert}`)).toEqual([]);
    expect(tunnels).toEqual([`CONNECT ${HOST}:443`]);
  });

  test('is bypassed for hosts in NO_PROXY', async () => {
    const asked: string[] = [];
    const tunnels: string[] = [];
    const port = await serve(listing(asked));
    vi.stubEnv('HTTP_PROXY', await serveProxy(port, tunnels));
    vi.stubEnv('NO_PROXY', '127.0.0.1');
    await readTransport(over(`http://127.0.0.1:${port}`)).get('/api/groups');
    expect([asked, tunnels]).toEqual([['GET /api/groups'], []]);
  });

  test('a proxy that refuses all connections is reported in words, and a POST was not sent', async () => {
    vi.stubEnv('HTTPS_PROXY', await serveClosedProxy());
    const { write } = writeTransport(over(`https://${HOST}`));
    expect(await failureOf(write('POST', '/api/groups', {}))).toMatchObject({
      code: 'API_NETWORK',
      mayHaveHappened: false,
      message: expect.stringMatching(
        /^POST \/api\/groups failed: the proxy refused the connection: .*403/,
      ),
    });
  });
});

describe('a certificate', () => {
  const through = async (ca?: string) => {
    const port = await serveTls(listing([]), certificate);
    vi.stubEnv('HTTPS_PROXY', await serveProxy(port, []));
    return readTransport(over(`https://${HOST}`, ca));
  };

  test('the certificate of a private server is refused unless it is given', async () => {
    expect(await failureOf((await through()).get('/api/groups'))).toMatchObject({
      code: 'API_UNTRUSTED',
      retryable: false,
      message: expect.stringContaining('its certificate is not trusted'),
    });
  });

  test('the certificate of a private server is accepted once it is given', async () => {
    expect(await (await through(certificate.cert)).get('/api/groups')).toEqual([]);
  });

  test('a given certificate does not replace the certificates that the platform trusts', async () => {
    const usual = getCACertificates('default');
    onTestFinished(() => setDefaultCACertificates(usual));
    setDefaultCACertificates([certificate.cert]);
    const { get } = await through(selfSigned('another.example.com').cert);
    expect(await get('/api/groups')).toEqual([]);
  });

  test('the certificate of another server does not help to verify this server', async () => {
    const other = selfSigned(HOST);
    expect(await failureOf((await through(other.cert)).get('/api/groups'))).toMatchObject({
      message: expect.stringContaining('its certificate is not trusted'),
    });
  });
});

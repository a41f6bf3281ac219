// Proxies of the environment: what cannot be one, which of them leads to a server, and what is said where it does not.
import { describe, expect, test } from 'vitest';
import { proxyFault, proxyTo } from '../../src/api/transport/environmentProxy.ts';

describe('an invalid proxy', () => {
  test.each([
    ['proxy.example.com:3128', 'proxy.example.com:3128', 'http://proxy.example.com:3128'],
    ['10.0.0.1:3128', '10.0.0.1:3128', 'http://10.0.0.1:3128'],
    ['user:hush@proxy:3128', 'proxy:3128', 'http://proxy:3128'],
    ['ftp://user:hush@proxy', 'ftp://proxy', 'http://proxy'],
    ['http://', 'http://', 'http://proxy.example.com:3128'],
    ['://proxy', '://proxy', 'http://proxy'],
    ['http://proxy:99999', 'http://proxy:99999', 'http://proxy:99999'],
  ])('%s', (value, address, hint) => {
    for (const variable of ['HTTP_PROXY', 'https_proxy']) {
      const fault = proxyFault({ [variable]: value });
      expect(fault).toMatchObject({ variable, address });
      expect(fault?.hint).toContain(hint);
      expect(JSON.stringify(fault)).not.toContain('hush');
    }
  });

  test.each(['', 'http://proxy:3128', 'https://user:hush@proxy', 'socks5://proxy:1080'])(
    '%j is accepted',
    value => expect(proxyFault({ HTTP_PROXY: value, HTTPS_PROXY: value })).toBeNull(),
  );
});

describe('the proxy for a server', () => {
  const HTTP = 'http://user:hush@plain:1/';
  const HTTPS = 'http://secure:2';

  test.each([
    ['http://api.example.com', { HTTP_PROXY: HTTP, HTTPS_PROXY: HTTPS }, 'http://plain:1'],
    ['https://api.example.com', { HTTP_PROXY: HTTP, HTTPS_PROXY: HTTPS }, 'http://secure:2'],
    ['https://api.example.com', { HTTP_PROXY: HTTP }, 'http://plain:1'],
    ['http://api.example.com', { HTTPS_PROXY: HTTPS }, undefined],
    [
      'http://api.example.com',
      { HTTP_PROXY: HTTP, http_proxy: 'http://small:3' },
      'http://small:3',
    ],
    ['http://api.example.com', { HTTP_PROXY: HTTP, http_proxy: '' }, undefined],
    ['http://api.example.com', {}, undefined],
  ])('%s with %j', (server, env, address) => {
    expect(proxyTo(server, env)?.address).toBe(address);
  });

  test.each([
    ['*', true],
    ['none.invalid, *', true],
    ['api.example.com', true],
    ['API.EXAMPLE.COM.', true],
    ['example.com', true],
    ['.example.com', true],
    ['*.example.com', true],
    ['ample.com', false],
    ['api.example.com:8443', true],
    ['api.example.com:443', false],
    ['*.api.example.com', false],
    ['::1', false],
    ['', false],
  ])('NO_PROXY=%s: %s', (list, isDirect) => {
    const env = { HTTPS_PROXY: HTTPS, NO_PROXY: list };
    expect(proxyTo('https://api.example.com:8443', env) === null).toBe(isDirect);
  });

  test.each(['::1', '[::1]', '[::1]:8080', '127.0.0.1 ::1'])('NO_PROXY=%s', list => {
    expect(proxyTo('http://[::1]:8080', { HTTP_PROXY: HTTP, NO_PROXY: list })).toBeNull();
  });
});

// What is said of a git that failed: the address of a remote may have a token in it, and a report becomes a comment.
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { RemoteAddress } from '../../src/read/git/remoteAddress.ts';
import { gitFault, remoteGit } from '../../src/read/git/runGit.ts';
import { serve } from '../api/loopback.ts';
import { inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';

const TOKEN = 'ghp_Qx7TokenOfSomebody';

test.each([
  [401, `http://${TOKEN}@127.0.0.1:PORT/x.git`],
  [403, `http://127.0.0.1:PORT/x.git?private_token=${TOKEN}`],
  [403, `http://127.0.0.1:PORT/x.git#${TOKEN}`],
  [404, `http://mia:${TOKEN}@127.0.0.1:PORT/x.git`],
  [404, `http://127.0.0.1:PORT/${TOKEN}/x.git`],
  [401, `http://ghp%5F${TOKEN}@127.0.0.1:PORT/x.git`],
])(
  'the error for a server that answers %i quotes only the host of the address %s',
  (status, address) =>
    inFolder(async folder => {
      const port = await serve((_, response) => response.writeHead(status).end());
      git(folder, 'init', '--quiet');
      git(folder, 'remote', 'add', 'origin', address.replace('PORT', String(port)));
      const place = { folder, host: { env: { ...process.env, GIT_ASKPASS: '' } } };
      const error = await remoteGit(place, ['ls-remote', '--end-of-options', 'origin']).catch(
        error => error,
      );
      expect(String(error.stderr)).toContain(`127.0.0.1:${port}`);
      const { why } = gitFault(error);
      expect(why).toContain(`127.0.0.1:${port}`);
      expect(why).not.toContain(TOKEN);
    }),
);

test.each([
  [
    "fatal: unable to access 'https://a:b@c@host.example/x?y=z#w': no",
    "access 'https://host.example': no",
  ],
  ['fatal: Could not read from ssh://tok@host.example:22/x.git', 'from ssh://host.example:22'],
  ["fatal: repository 'https://host.example/x.git/' not found", "'https://host.example' not found"],
  [
    "fatal: '/srv/network.git' does not appear to be a git repository",
    "'/srv/network.git' does not",
  ],
])('%s', (said, shown) => {
  expect(gitFault({ stderr: Buffer.from(said) }).why).toContain(shown);
});

test('an error does not quote what git settings put into an address', () =>
  inFolder(async folder => {
    const port = await serve((_, response) => response.writeHead(403).end());
    git(folder, 'init', '--quiet');
    git(folder, 'remote', 'add', 'origin', 'https://git.example.com/x.git');
    git(
      folder,
      'config',
      `url.http://127.0.0.1:${port}/${TOKEN}/.insteadOf`,
      'https://git.example.com/',
    );
    const place = { folder, host: { env: { ...process.env, GIT_ASKPASS: '' } } };
    const error = await remoteGit(place, ['ls-remote', '--end-of-options', 'origin']).catch(
      error => error,
    );
    expect(String(error.stderr)).toContain(TOKEN);
    expect(gitFault(error).why).not.toContain(TOKEN);
  }));

test.each([
  [`https://host.example/${TOKEN}/x.git`, 'https://host.example'],
  [`https://ci:x@host.example:8443/a b/${TOKEN}`, 'https://host.example:8443'],
  [`https://host.example?token=${TOKEN}`, 'https://host.example'],
  [`ssh://${TOKEN}@host.example/x`, 'ssh://host.example'],
  [`https://ci:${TOKEN}/with-a-slash@host.example/x`, 'https://ci'],
  ['/srv/network.git', '/srv/network.git'],
])('the address %s becomes its host in every text', (text, host) => {
  const address = new RemoteAddress(text);
  expect([`${address}`, JSON.parse(JSON.stringify(address)), inspect(address)]).toEqual([
    host,
    host,
    host,
  ]);
});

test.each([`https://ci:p@host.example/a'${TOKEN}/x`, `https://host.example/a b/${TOKEN}`])(
  'an error does not quote the path of the remote’s address %s',
  text => {
    const address = text.replace('ci:p@', '');
    const stderr = Buffer.from(`fatal: unable to access '${address}/': no route`);
    const { why } = gitFault({ stderr, addresses: { fetch: [new RemoteAddress(text)] } });
    expect(why).toBe("unable to access 'https://host.example': no route");
  },
);

test.each([
  [`https://ci:${TOKEN}%21@host.example/x`, `${TOKEN}!`],
  [`https://ci:${TOKEN}@host.example/x`, Buffer.from(TOKEN).toString('hex')],
  [`https://${TOKEN}@host.example/x`, TOKEN],
  [`https://${TOKEN}:x-oauth-basic@host.example/x`, TOKEN],
])('an error does not repeat the credentials of %s that the server repeats', (text, repeated) => {
  const stderr = Buffer.from(`remote: ${repeated} has expired\nfatal: no access as ci\n`);
  const { why } = gitFault({ stderr, addresses: { push: [new RemoteAddress(text)] } });
  expect(why).toBe('(secret) has expired no access as ci');
});

test('nothing that a server says repeats the password of the address, also in the reasons of a push', () =>
  inFolder(async folder => {
    const port = await serve((_, response) =>
      response.writeHead(403, { 'Content-Type': 'text/plain' }).end(`${TOKEN} has expired`),
    );
    git(folder, 'init', '--quiet');
    git(folder, 'remote', 'add', 'origin', `http://ci:${TOKEN}@127.0.0.1:${port}/x.git`);
    const place = { folder, host: { env: { ...process.env, HOME: folder } } };
    const error = await remoteGit(place, ['ls-remote', '--end-of-options', 'origin']).catch(
      error => error,
    );
    expect(String(error.stderr)).toContain('remote: (secret) has expired');
  }));

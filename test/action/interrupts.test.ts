// A job that is cancelled or killed: the step ends, whatever it waits for, and leaves the token of the job in no file.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../api/certificate.ts';
import { git } from '../support/git.ts';
import { startGitServer } from './gitServer.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const TOKEN = 'ghs_exampleToken';
const BASIC = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');

interface Silent {
  readonly url: string;
  /** The first request. */
  readonly asked: Promise<IncomingMessage>;
}

/** A server that takes requests and answers none. */
async function startSilent(certificate?: { readonly key: string; readonly cert: string }) {
  let isAsked: (request: IncomingMessage) => void = () => {};
  const asked = new Promise<IncomingMessage>(settle => {
    isAsked = settle;
  });
  const server: Server & { closeAllConnections: () => void } = certificate
    ? createServer(certificate, request => isAsked(request))
    : createPlainServer(request => isAsked(request));
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise(done => server.close(() => done()));
  });
  const { port } = server.address() as AddressInfo;
  const silent: Silent = { url: `${certificate ? 'https' : 'http'}://localhost:${port}`, asked };
  return silent;
}

/** A job with a forge that does not answer, and a program in the place of meshform. */
async function openJob(program: string, inputs: NodeJS.ProcessEnv = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = (...path: string[]) => join(folder, ...path);
  const certificate = selfSigned('localhost');
  const [forge, server] = await Promise.all([startSilent(), startSilent(certificate)]);
  for (const name of ['temp', 'packed/node_modules/meshform/bin', 'checkout/network'])
    mkdirSync(at(name), { recursive: true });
  writeFileSync(at('authority.pem'), certificate.cert);
  writeFileSync(at('event.json'), JSON.stringify({ pull_request: { number: 7 } }));
  writeFileSync(at('packed/node_modules/meshform/bin/meshform.js'), program);
  git(at('checkout'), 'init', '--quiet');
  const { GITHUB_SERVER_URL: remote = server.url, INPUT_BASE: base } = inputs;
  // An apply asks a remote that is there.
  if (base !== undefined) git(at('checkout'), 'remote', 'add', 'origin', `${remote}/network.git`);
  const child = spawn(process.execPath, [join(CHECKOUT, 'action/main.ts')], {
    cwd: at('checkout'),
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      RUNNER_TEMP: at('temp'),
      GIT_SSL_CAINFO: at('authority.pem'),
      GITHUB_EVENT_PATH: at('event.json'),
      GITHUB_REPOSITORY: 'example/network',
      GITHUB_API_URL: forge.url,
      GITHUB_SERVER_URL: server.url,
      GITHUB_TOKEN: TOKEN,
      INPUT_COMMAND: 'apply',
      INPUT_PATH: 'network',
      INPUT_COMMENT: 'always',
      INPUT_VERSION: 'packed.tgz',
      MESHFORM_PACKED: at('packed'),
      ...inputs,
    },
  });
  const said: string[] = [];
  child.stdout.setEncoding('utf8').on('data', text => said.push(text));
  child.stderr.setEncoding('utf8').on('data', text => said.push(text));
  const code = new Promise<number | null>(settle => child.on('close', settle));
  const tokenFiles = () =>
    readdirSync(at('temp'), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .filter(text => text.includes(TOKEN) || text.includes(BASIC));
  const says = (word: string) =>
    new Promise<void>(settle => {
      const look = () => said.join('').includes(word) && settle();
      child.stdout.on('data', look);
      look();
    });
  return { at, child, code, forge, server, said, says, tokenFiles };
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a job whose forge does not respond to a comment', async (signal, exit) => {
  const { child, code, forge, said, tokenFiles } = await openJob('');
  await forge.asked;
  expect(tokenFiles()).toEqual([]);
  child.kill(signal);
  expect(await code, said.join('')).toBe(exit);
  expect(said.join('')).toContain('The comment was not written: GET /user failed: the job was');
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a job whose remote does not respond to git', async (signal, exit) => {
  const inputs = { INPUT_BASE: 'auto', INPUT_ARGS: '--lock file' };
  const { at, child, code, server, said } = await openJob('', inputs);
  const { headers } = await server.asked;
  expect(headers.authorization).toBe(`basic ${BASIC}`);
  child.kill(signal);
  expect(await code, said.join('')).toBe(exit);
  expect(said.join('')).toContain('the job was cancelled');
  expect(readdirSync(at('temp'))).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'a killed job leaves no file with its token, neither in git nor while the program runs',
  async () => {
    const inputs = { INPUT_BASE: 'auto', INPUT_ARGS: '--lock file' };
    const silent = await openJob('', inputs);
    const { headers } = await silent.server.asked;
    expect(headers.authorization).toBe(`basic ${BASIC}`);
    silent.child.kill('SIGKILL');
    await silent.code;
    expect(readdirSync(silent.at('temp'))).toEqual([]);
    const { at, child, code, said, says } = await openApplyingJob();
    await says('applies');
    child.kill('SIGKILL');
    const [, program = ''] = /^applies with (\d+)$/m.exec(said.join('')) ?? [];
    process.kill(Number(program), 'SIGKILL');
    await code;
    expect(readdirSync(at('temp'))).toEqual([]);
  },
);

/** Says what it does and whether it has settings of git for its remote, and ends when it gets SIGTERM. */
const APPLYING = `
  const { existsSync, readFileSync } = require('node:fs');
  const { GIT_CONFIG_VALUE_0: file } = process.env;
  const settings = () => (file && existsSync(file) && readFileSync(file).length > 0 ? 'with' : 'without');
  process.on('SIGINT', () => console.log('writes its journal', settings()));
  process.on('SIGTERM', () => process.exit(4));
  setTimeout(() => {}, 20_000);
  console.log('applies', settings(), process.pid);`;

/** A job whose remote answers, and whose program applies. */
async function openApplyingJob(base = 'auto') {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  const server = await startGitServer(folder, `basic ${BASIC}`);
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  mkdirSync(join(folder, 'network.git'));
  git(join(folder, 'network.git'), 'init', '--quiet', '--bare');
  return openJob(APPLYING, {
    INPUT_BASE: base,
    GITHUB_SERVER_URL: server.url,
    GIT_SSL_CAINFO: server.authority,
  });
}

test('SIGINT reaches the program, which ends by itself, and after SIGTERM nothing is posted', async () => {
  const { child, code, said, says } = await openJob(APPLYING);
  await says('applies');
  child.kill('SIGINT');
  await says('writes its journal');
  child.kill('SIGTERM');
  expect(await code, said.join('')).toBe(143);
  expect(said.join('')).toContain('The comment was not written');
});

test('an apply without a base can ask the remote who holds the lock', async () => {
  const { child, code, says } = await openApplyingJob('');
  await says('applies with ');
  child.kill('SIGTERM');
  expect(await code).toBe(143);
});

test('an interrupt removes the token that a running program could use with git', async () => {
  const { at, child, code, said, says } = await openApplyingJob();
  await says('applies with ');
  child.kill('SIGINT');
  await says('writes its journal without');
  expect(readdirSync(at('temp'))).toEqual([]);
  child.kill('SIGTERM');
  expect(await code, said.join('')).toBe(143);
});

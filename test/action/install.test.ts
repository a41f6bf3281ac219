// How the action installs meshform: from what is pinned, without scripts of packages, and without tokens.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the step on a checkout where nothing is installed yet, with a stand-in for npm that notes how it was called. */
function installed(version: (folder: string) => string, more: NodeJS.ProcessEnv = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = (...path: string[]) => join(folder, ...path);
  for (const name of ['bin', 'temp', 'checkout']) mkdirSync(at(name));
  for (const name of ['action', 'src', 'package.json'])
    cpSync(join(CHECKOUT, name), at('checkout', name), { recursive: true });
  const npm = `#!/bin/sh\nprintf '%s\\n' "$PWD" "$@" > '${at('call')}'\nenv > '${at('variables')}'\n`;
  writeFileSync(at('bin/npm'), npm);
  chmodSync(at('bin/npm'), 0o755);
  const ended = spawnSync(process.execPath, [at('checkout/action/install.ts')], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: `${at('bin')}:${process.env.PATH}`,
      HOME: folder,
      RUNNER_TEMP: at('temp'),
      GITHUB_OUTPUT: at('output'),
      GITHUB_TOKEN: 'ghs_exampleToken',
      GH_TOKEN: 'ghs_exampleToken',
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'identity',
      AWS_SECRET_ACCESS_KEY: 'aws',
      MESHFORM_TOKEN: 'nbp_token',
      MESHFORM_VERSION: version(folder),
      npm_config_registry: 'https://registry.example.com/',
      HTTPS_PROXY: 'http://proxy.example.com',
      ...more,
    },
  });
  const read = (name: string) => readFileSync(at(name), 'utf8');
  return { at, ended, read };
}

const SAFE = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];

test('the checkout is installed from its lock file, without scripts, and npm gets no token', () => {
  const { at, ended, read } = installed(() => '');
  expect(ended.status, ended.stderr).toBe(0);
  const [where, ...args] = read('call').trimEnd().split('\n');
  expect(`${where}/`).toBe(`${at('checkout')}/`);
  expect(args).toEqual(['ci', ...SAFE]);
  const variables = read('variables');
  expect(variables).not.toMatch(/ghs_|identity|aws|nbp_|MESHFORM|GITHUB_/);
  expect(variables).toContain('npm_config_registry=https://registry.example.com/');
  expect(variables).toContain('HTTPS_PROXY=http://proxy.example.com');
});

const packed = (folder: string) => {
  const content = 'a tarball';
  writeFileSync(join(folder, 'meshform.tgz'), content);
  const digest = createHash('sha256').update(content).digest('hex');
  return `${join(folder, 'meshform.tgz')}#sha256:${digest}`;
};

test('a packed version is installed in a fresh folder from its tarball alone', () => {
  const { at, ended, read } = installed(packed);
  expect(ended.status, ended.stderr).toBe(0);
  const [where = '', ...args] = read('call').trimEnd().split('\n');
  expect(dirname(where)).toBe(at('temp'));
  expect(lstatSync(where).mode & 0o777).toBe(0o700);
  const file = join(where, 'meshform.tgz');
  expect(args).toEqual(['install', '--offline', '--prefix', where, ...SAFE, file]);
  expect(read('output')).toContain(`\n${where}\n`);
  expect(read('variables')).not.toMatch(/ghs_|nbp_|MESHFORM/);
});

test('no packed version is installed without the temporary folder of the job', () => {
  const { ended } = installed(packed, { RUNNER_TEMP: '' });
  expect(ended.status).toBe(1);
  expect(ended.stderr).toContain('meshform cannot be installed: RUNNER_TEMP must be the path');
});

test('no package that a run needs has an install script', () => {
  const lock = JSON.parse(readFileSync(join(CHECKOUT, 'package-lock.json'), 'utf8'));
  const needed = Object.entries<{ dev?: boolean; hasInstallScript?: boolean }>(lock.packages);
  const scripted = needed.filter(([, { dev, hasInstallScript }]) => hasInstallScript && !dev);
  // The script of the checkout itself prepares development.
  expect(scripted.map(([name]) => name).filter(Boolean)).toEqual([]);
});

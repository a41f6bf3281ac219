// What a program gets of the environment of the run.
import { describe, expect, test } from 'vitest';
import { KnownSecrets } from '../../src/model/secrets/knownSecrets.ts';
import {
  foreignEnvironment,
  ordinaryEnvironment,
  sopsEnvironment,
} from '../../src/read/environment.ts';
import { remoteEnvironment } from '../../src/read/git/gitEnvironment.ts';

const secrets = new KnownSecrets();
for (const secret of ['a-secret-of-the-files', 'brief']) secrets.add(secret);

const env = {
  PATH: '/usr/bin:/bin',
  HOME: '/home/a-secret-of-the-files',
  LC_ALL: 'C',
  PLAIN: 'plain',
  MESHFORM_TOKEN: 'nbp_of-the-account',
  meshform_other: 'x',
  COPY: 'Token nbp_of-the-account',
  ENCODED: Buffer.from('x:nbp_of-the-account').toString('base64'),
  DEPLOY_KEY: 'a-secret-of-the-files',
  ADDRESS: 'https://u:a-secret-of-the-files@example.com',
  EXACT: 'brief',
  WORDS: 'in brief',
  AWS_SECRET_ACCESS_KEY: 'a-secret-of-the-files',
  GIT_ASKPASS: '/bin/a-secret-of-the-files',
  UNSET: undefined,
};

const namesOf = (given: Readonly<Record<string, string>>) => Object.keys(given).sort();

describe('a program gets', () => {
  test.each(['', ':', '.', 'bin:.', './bin', '::/usr/bin:bin:'])(
    'no PATH that leads to the folder it runs in: %s',
    path => {
      const { PATH = '' } = ordinaryEnvironment({ env: { PATH: path } });
      const folders = PATH.split(':');
      expect(folders.filter(folder => !folder.startsWith('/'))).toEqual([]);
      expect(folders.includes('/usr/bin')).toBe(path.includes('/usr/bin'));
    },
  );

  test('neither meshform’s own variables nor a secret, in any encoding', () => {
    expect(namesOf(foreignEnvironment({ env, secrets }))).toEqual([
      'HOME',
      'LC_ALL',
      'PATH',
      'PLAIN',
      'WORDS',
    ]);
  });

  test('the credentials of git and ssh, and no other variable, if it is git at a remote', () => {
    const more = {
      GIT_SSH_COMMAND: 'ssh -i a-secret-of-the-files',
      GIT_CONFIG_VALUE_0: 'Authorization: a-secret-of-the-files',
      SSH_AUTH_SOCK: '/run/a-secret-of-the-files',
      https_proxy: 'http://proxy.example.com',
      XDG_CONFIG_HOME: '/home/settings',
      GIT_COPY: 'nbp_of-the-account',
      GIT_USERNAME: 'robot',
      SSH_COPY: 'x',
      STAFF: 'nobody names it',
    };
    const given = remoteEnvironment({ env: { ...env, ...more }, secrets }, '/checkout/net');
    expect(namesOf(given)).toEqual([
      'GIT_ASKPASS',
      'GIT_CEILING_DIRECTORIES',
      'GIT_CONFIG_VALUE_0',
      'GIT_GRAFT_FILE',
      'GIT_NO_REPLACE_OBJECTS',
      'GIT_SSH_COMMAND',
      'HOME',
      'LC_ALL',
      'PATH',
      'SSH_AUTH_SOCK',
      'XDG_CONFIG_HOME',
      'https_proxy',
    ]);
  });

  test('the variables of git’s helpers that the user names, but none of meshform, if it is git at a remote', () => {
    const more = {
      FORGE_TOKEN: 'of the forge',
      GIT_DIR: '/other/.git',
      MESHFORM_GIT_VARIABLES: ' FORGE_TOKEN\tPLAIN MESHFORM_TOKEN GIT_DIR UNSET ',
    };
    const given = remoteEnvironment({ env: { ...env, ...more } }, '/checkout/net');
    expect(given).toMatchObject({ FORGE_TOKEN: 'of the forge', PLAIN: 'plain' });
    expect(namesOf(given).filter(name => /MESHFORM|GIT_DIR|UNSET/.test(name))).toEqual([]);
  });

  test('no variable that leads git to another repository, if it is git at a remote', () => {
    const elsewhere = {
      GIT_DIR: '/other/.git',
      GIT_WORK_TREE: '/other',
      GIT_COMMON_DIR: '/other/.git',
      GIT_INDEX_FILE: '/other/index',
      GIT_OBJECT_DIRECTORY: '/other/objects',
      GIT_ALTERNATE_OBJECT_DIRECTORIES: '/other/objects',
      GIT_NAMESPACE: 'other',
      GIT_EXTERNAL_DIFF: '/other/program',
    };
    const given = remoteEnvironment({ env: { PATH: '/bin', ...elsewhere } }, '/checkout/net');
    expect(given).toEqual({
      PATH: '/bin',
      GIT_CEILING_DIRECTORIES: '/checkout',
      GIT_GRAFT_FILE: '/dev/null',
      GIT_NO_REPLACE_OBJECTS: '1',
    });
  });

  test('HOME, LC_ALL and PATH only, by default', () => {
    expect(namesOf(ordinaryEnvironment({ env }))).toEqual(['HOME', 'LC_ALL', 'PATH']);
  });

  test('the credentials of the allowed key services, if it is sops', () => {
    const ordinary = ['HOME', 'LC_ALL', 'PATH'];
    expect(namesOf(sopsEnvironment({ env }, new Set()))).toEqual(ordinary);
    expect(namesOf(sopsEnvironment({ env }, new Set(['kms'])))).toEqual([
      'AWS_SECRET_ACCESS_KEY',
      ...ordinary,
    ]);
  });

  test('no search path that depends on its working folder', () => {
    const relative = { PATH: '.:/usr/bin::node_modules/.bin:/bin:' };
    expect(foreignEnvironment({ env: relative })).toEqual({ PATH: '/usr/bin:/bin' });
  });
});

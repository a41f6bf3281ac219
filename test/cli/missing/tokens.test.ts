// Tokens of a service user may share a name: a token is ours by the id that the base has, and no other one is replaced in its place.
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { expectCode, type Teams, teams } from '../bases/teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const robot = (tokens: string) =>
  `service_users: [{ name: robot, role: user${tokens && `, tokens: [${tokens}]`} }]\n`;
const T1 = '{ name: t1, expires_in: 30 }';
const SINK = ['--secrets-to', 'file:secrets.env'];
const NOW = ['--allow', 'REVEALS_SECRET', '--allow', 'REPLACES_OBJECT', '--resolve', 'desired'];

interface Story extends Teams {
  readonly want: (text: string) => Promise<void>;
  /** The tokens of the service user: their ids. */
  readonly tokens: () => Promise<readonly string[]>;
  /** The token of the base. */
  readonly ours: string;
  /** The path of the tokens. */
  readonly path: string;
}

const applied = (story: (all: Story) => Promise<void>) =>
  teams(async all => {
    const { id, commit, account, apply } = all;
    const want = (text: string) =>
      commit({
        'net/meshform.yaml': `account: ${id}\n`,
        'net/a.yaml': text,
        '.gitignore': 'secrets.env\n',
      });
    await want(robot(T1));
    expectCode(await apply('net', [...SINK, ...NOW]), 0);
    const users = (await account.call('GET', '/api/users?service_user=true')) as JsonObject[];
    const path = `/api/users/${users.find(({ name }) => name === 'robot')?.id}/tokens`;
    const tokens = async () =>
      (((await account.call('GET', path)) ?? []) as JsonObject[]).map(one => String(one.id)).sort();
    const [ours = ''] = await tokens();
    await story({ ...all, want, tokens, ours, path });
  }, 'netbird');

/** A colleague creates a token of the same name, which lasts longer; returns its id. */
async function colleague({ account, path }: Story): Promise<string> {
  const made = (await account.call('POST', path, { name: 't1', expires_in: 90 })) as {
    personal_access_token: { id: string };
  };
  return made.personal_access_token.id;
}

const removeOurs = ({ account, path, ours }: Story) => account.call('DELETE', `${path}/${ours}`);

test('a new token is created if the token of the base no longer exists, and the other token stays', () =>
  applied(async story => {
    await removeOurs(story);
    const theirs = await colleague(story);
    const done = await story.apply('net', [...SINK, ...NOW]);
    expectCode(done, 0);
    expect(done.stdout).toContain('1 to add, 0 to change, 0 to destroy.');
    const left = await story.tokens();
    expect(left).toHaveLength(2);
    expect(left).toContain(theirs);
    const again = await story.run(['plan', 'net', '--base', 'auto', '--detailed-exitcode']);
    expectCode(again, 0);
  }));

test('the token of the base is replaced beside another token of its name', () =>
  applied(async story => {
    const theirs = await colleague(story);
    await story.want(robot('{ name: t1, expires_in: 60 }'));
    expectCode(await story.apply('net', [...SINK, ...NOW]), 0);
    const left = await story.tokens();
    expect(left).toHaveLength(2);
    expect(left).toContain(theirs);
    expect(left).not.toContain(story.ours);
  }));

test('the token of the base is deleted once the files no longer declare it', () =>
  applied(async story => {
    const theirs = await colleague(story);
    await story.want(robot(''));
    expectCode(await story.apply('net', NOW), 0);
    expect(await story.tokens()).toEqual([theirs]);
  }));

test('nothing has to be removed if the token of the base no longer exists', () =>
  applied(async story => {
    await removeOurs(story);
    const theirs = await colleague(story);
    await story.want(robot(''));
    expectCode(await story.apply('net', NOW), 0);
    expect(await story.tokens()).toEqual([theirs]);
  }));

test('a token of a user that somebody renamed is recognised as the token of the base', () =>
  applied(async story => {
    await removeOurs(story);
    const theirs = await colleague(story);
    const id = story.path.split('/')[3];
    const users = (await story.account.call('GET', '/api/users?service_user=true')) as JsonObject[];
    const user = users.find(one => one.id === id);
    await story.account.call('PUT', `/api/users/${id}`, { ...user, name: 'machine' });
    await story.apply('net', [...SINK, ...NOW]);
    expect(await story.tokens()).toContain(theirs);
  }));

// `drift` from the command line: what raises the alarm, what is silenced, what is listed, in every format.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { schemaCompiler } from '../../src/kinds/schema/keywords.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../support/cli.ts';

const FILES = `
groups:
  - name: engineers
  - name: databases
posture_checks:
  - { name: recent agent, description: as agreed, checks: { nb_version_check: { min_version: 1.2.0 } } }
policies:
  - name: engineers reach databases
    description: ours
    rules: [{ name: sql, sources: [engineers], destinations: [databases], protocol: tcp, ports: ["5432"] }]
`;

interface Scene {
  readonly account: TestAccount;
  /** Runs a command in the folder, at a time of its own where one is given. */
  readonly run: (...argv: string[]) => Promise<Ended>;
  readonly write: (name: string, text: string) => Promise<void>;
  /** Changes the object of this name in the list at `path`, as somebody would by hand. */
  readonly byHand: (path: string, name: string, change: JsonObject) => Promise<void>;
  readonly delete: (path: string, name: string) => Promise<void>;
}

// A policy shows the groups of its rules as objects, and takes their ids.
function asWritten(value: Json): Json {
  if (isList(value)) return value.map(asWritten);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, item]): [string, Json] => {
    const isEnd = (name === 'sources' || name === 'destinations') && isList(item);
    return [
      name,
      isEnd ? item.map(group => (isObject(group) ? (group.id ?? null) : group)) : asWritten(item),
    ];
  });
  return Object.fromEntries(entries);
}

/** A folder whose files have been applied to an account of their own. */
function applied(use: (scene: Scene) => Promise<void>): Promise<void> {
  return inFolder(async cwd => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    const named = async (path: string, name: string) => {
      const list = (await account.call('GET', path)) as (JsonObject & { id: string })[];
      return list.find(object => object.name === name) ?? { id: 'none' };
    };
    const scene: Scene = {
      account,
      run: (...argv) =>
        meshform(argv, { env: environmentOf(account), cwd, now: Date.parse('2026-06-15T10:00Z') }),
      write: (name, text) => writeFile(join(cwd, name), text),
      byHand: async (path, name, change) => {
        const object: JsonObject & { id: string } = await named(path, name);
        const body = asWritten({ ...object, ...change });
        await account.call('PUT', `${path}/${object.id}`, body);
      },
      delete: async (path, name) => {
        await account.call('DELETE', `${path}/${(await named(path, name)).id}`);
      },
    };
    await scene.write('network.yaml', FILES);
    expect((await scene.run('apply', '--yes')).code).toBe(0);
    await use(scene);
  });
}

const lastLine = ({ stdout }: Ended) => stdout.trimEnd().split('\n').at(-1);

describe('the alarm', () => {
  test('is silent where nothing differs, and nothing is written', () =>
    applied(async ({ run, account }) => {
      const before = account.requests.length;
      const ended = await run('drift');
      expect(ended.code).toBe(0);
      expect(lastLine(ended)).toBe('No drift.');
      expect(account.requests.slice(before).map(({ method }) => method)).not.toContain('POST');
      expect(new Set(account.requests.slice(before).map(({ method }) => method))).toEqual(
        new Set(['GET']),
      );
    }));

  test('tells what has changed, and what is missing, from the account’s side', () =>
    applied(async ({ run, byHand, delete: remove }) => {
      await byHand('/api/posture-checks', 'recent agent', { description: 'by hand' });
      await remove('/api/policies', 'engineers reach databases');
      const ended = await run('drift');
      expect(ended.code).toBe(2);
      expect(ended.stdout).toContain('description = "as agreed" -> "by hand"');
      expect(ended.stdout).toContain(
        'policy["engineers reach databases"] is missing from the account',
      );
      expect(lastLine(ended)).toBe('Drift: 1 changed, 1 missing, 0 still there.');
    }));
});

test('an object that somebody moved is missing where it was, and the plan’s question is shown', () =>
  applied(async ({ run, write, account, delete: remove }) => {
    const networks = (home: string) =>
      ['office', 'lab'].map(
        name =>
          `{ name: ${name}${name === home ? ', resources: [{ name: db, address: 10.0.0.5, groups: [] }]' : ''} }`,
      );
    const files = (home: string) => `networks: [${networks(home).join(', ')}]`;
    await write('network.yaml', files('office'));
    await run('apply', '--yes');
    const list = (await account.call('GET', '/api/networks')) as { id: string; name: string }[];
    const idOf = (name: string) => list.find(one => one.name === name)?.id ?? '';
    await remove(`/api/networks/${idOf('office')}/resources`, 'db');
    await account.call('POST', `/api/networks/${idOf('lab')}/resources`, {
      ...{ name: 'db', address: '10.0.0.5', description: '', enabled: true, groups: [] },
    });
    const ended = await run('drift');
    expect(ended.code).toBe(2);
    expect(ended.stdout).toContain('network_resource.office/db is missing from the account');
    expect(ended.stderr).toContain('OBJECT_IN_THE_WAY');
    expect((await run('plan')).code).toBe(3);
  }));

describe('with a base', () => {
  test('what only the files changed is none, be it a new object, a field or a name', () =>
    applied(async ({ run, write }) => {
      await inFolder(async base => {
        await writeFile(join(base, 'network.yaml'), FILES);
        await write(
          'network.yaml',
          FILES.replace('as agreed', 'as agreed lately')
            .replace('- name: databases', '- { name: stores, lifecycle: { was: databases } }')
            .replace('destinations: [databases]', 'destinations: [stores]')
            .replace('groups:', 'groups:\n  - name: newcomers'),
        );
        expect((await run('drift')).code).toBe(2);
        const ended = await run('drift', '--base', base);
        expect(lastLine(ended)).toBe('No drift.');
        expect(ended.code).toBe(0);
      });
    }));

  test('what the account changed is drift, what both changed a conflict', () =>
    applied(async ({ run, write, byHand, delete: remove }) => {
      await inFolder(async base => {
        await writeFile(join(base, 'network.yaml'), FILES);
        await write(
          'network.yaml',
          FILES.replace('as agreed', 'files').replace('description: ours', 'description: ours too'),
        );
        await byHand('/api/posture-checks', 'recent agent', { description: 'hand' });
        await remove('/api/policies', 'engineers reach databases');
        const ended = await run('drift', '--base', base);
        expect(ended.stdout).toContain('description = "files" -> "hand" (conflict)');
        expect(ended.stdout).toContain('is missing from the account');
        expect(ended.code).toBe(2);
      });
    }));
});

describe('an acknowledged difference', () => {
  const known = (object: string, until = '2026-06-15') =>
    `acknowledge: [{ object: ${object}, reason: the audit asked for it, until: ${until} }]\n`;

  test('raises no alarm until its time is over, and is told all the while', () =>
    applied(async ({ run, write, byHand }) => {
      await byHand('/api/posture-checks', 'recent agent', { description: 'by hand' });
      await write('meshform.yaml', known('posture_check/recent agent.description'));
      const silenced = await run('drift');
      expect(silenced.code).toBe(0);
      expect(silenced.stdout).toContain('until 2026-06-15: the audit asked for it');
      expect(lastLine(silenced)).toBe('No drift; 1 acknowledged.');
      await write('meshform.yaml', known('posture_check/recent agent.description', '2026-06-14'));
      const over = await run('drift');
      expect(over.code).toBe(2);
      expect(over.stderr).toContain('meshform.yaml:1:15 warning ACKNOWLEDGED_NO_MORE');
    }));

  test('still is what an apply puts right', () =>
    applied(async ({ run, write, byHand }) => {
      await byHand('/api/posture-checks', 'recent agent', { description: 'by hand' });
      await write('meshform.yaml', known('posture_check/recent agent'));
      expect((await run('plan')).stdout).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');
    }));

  test('of one field says nothing of another', () =>
    applied(async ({ run, write, byHand }) => {
      await byHand('/api/policies', 'engineers reach databases', {
        description: 'by hand',
        enabled: false,
      });
      await write('meshform.yaml', known('policy/engineers reach databases.description'));
      const ended = await run('drift');
      expect(ended.code).toBe(2);
      expect(lastLine(ended)).toBe('Drift: 1 changed, 0 missing, 0 still there; 1 acknowledged.');
    }));

  test('that is none is told', () =>
    applied(async ({ run, write }) => {
      await write('meshform.yaml', known('group/engineers'));
      const ended = await run('drift');
      expect(ended.code).toBe(0);
      expect(ended.stderr).toContain('ACKNOWLEDGED_NOTHING');
    }));
});

test('what no file declares is listed, policies before all else', () =>
  applied(async ({ run, account }) => {
    await account.call('POST', '/api/groups', { name: 'by hand' });
    const { stdout, code } = await run('drift');
    expect(code).toBe(0);
    const listed = stdout.slice(stdout.indexOf('Left alone')).split('\n').slice(2, 5);
    expect(listed).toEqual([
      '  1 policy not declared: Default',
      '  1 group not declared: "by hand"',
      '  1 group never modified: All (built-in group of all peers)',
    ]);
  }));

test('a policy that no file declares is listed although the files declare none', () =>
  inFolder(async cwd => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    await writeFile(join(cwd, 'network.yaml'), 'groups: [{ name: engineers }]');
    const run = (...argv: string[]) => meshform(argv, { env: environmentOf(account), cwd });
    expect((await run('drift')).stdout).toContain('1 policy not declared: Default');
    expect((await run('plan')).stdout).not.toContain('Default');
    expect((await run('drift', '--kinds', 'groups')).stdout).not.toContain('Default');
    const pruned = await run('plan', '--prune', 'unmanaged');
    expect(pruned.stdout).toContain('Plan: 1 to add, 0 to change, 0 to destroy.');
  }));

test('a part of what is declared is a part of the tests', () =>
  applied(async ({ run, delete: remove }) => {
    await remove('/api/policies', 'engineers reach databases');
    const groups = await run('drift', '--kinds', 'groups', '--format', 'junit');
    expect(groups.stdout).toContain('tests="2" failures="0"');
    expect(groups.code).toBe(0);
  }));

describe('in other formats', () => {
  const drifted = (use: (scene: Scene) => Promise<void>) =>
    applied(async scene => {
      await scene.byHand('/api/posture-checks', 'recent agent', { description: '<by> "hand" |' });
      await scene.byHand('/api/policies', 'engineers reach databases', { description: 'known' });
      await scene.write(
        'meshform.yaml',
        'acknowledge: [{ object: policy/engineers reach databases, reason: R & D, until: 2026-12-31 }]',
      );
      await use(scene);
    });

  test('JSON is a plan’s document, with what the account did', () =>
    drifted(async ({ run }) => {
      const { stdout } = await run('drift', '--format', 'json');
      const document = JSON.parse(stdout);
      const isDocument = schemaCompiler().compile(shippedSchema('plan.schema.json'));
      expect(isDocument(document), JSON.stringify(isDocument.errors)).toBe(true);
      expect(document.resource_drift).toMatchObject([
        {
          address: 'posture_check["recent agent"]',
          change: { actions: ['update'], after: { description: '<by> "hand" |' } },
        },
      ]);
      expect(document.meshform.acknowledged).toEqual([
        {
          address: 'policy["engineers reach databases"]',
          fields: ['description'],
          reason: 'R & D',
          until: '2026-12-31',
        },
      ]);
    }));

  test('JUnit has a test for each declared object', () =>
    drifted(async ({ run }) => {
      const { stdout, code } = await run('drift', '--format', 'junit');
      expect(code).toBe(2);
      expect(stdout).toContain('<testsuite name="meshform drift" tests="4" failures="1"');
      expect(stdout).toContain(
        '<testcase classname="group" name="group.engineers" file="network.yaml" line="3"/>',
      );
      expect(stdout).toContain('&quot;as agreed&quot; -&gt;');
      expect(stdout).toContain('&lt;by&gt; \\&quot;hand\\&quot; |');
      expect(stdout).toContain('<skipped message="acknowledged until 2026-12-31: R &amp; D"/>');
      expect(stdout).not.toMatch(/<by>|R & D/);
    }));

  test('Markdown has a row for each difference', () =>
    drifted(async ({ run }) => {
      const { stdout } = await run('drift', '--format', 'markdown');
      expect(stdout).toContain(
        '| `posture_check["recent agent"]` | has changed in the account | `description` |  |',
      );
      expect(stdout).toContain('| `description` | until 2026-12-31: R & D |');
    }));
});

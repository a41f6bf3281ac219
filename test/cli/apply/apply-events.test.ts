// `apply --format jsonl`: a run as it goes, an event a line.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

test('an apply reports its plan, each action as it begins and ends, and the result', () =>
  inFolder(async cwd => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    await writeFile(join(cwd, 'network.yaml'), 'groups: [{ name: a }]\nnetworks: [{ name: n }]\n');
    const env = environmentOf(account);
    const { code, stdout } = await meshform(['apply', '--yes', '--format', 'jsonl'], { env, cwd });
    expect(code).toBe(0);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    const [plan, ...rest] = events;
    expect(plan).toEqual({
      type: 'plan',
      format_version: '1.1',
      summary: { add: 2, change: 0, destroy: 0 },
      actions: 2,
      requests: 4,
    });
    const result = rest.pop();
    expect(result).toMatchObject({
      type: 'result',
      complete: true,
      // With the list that looks for a second network of this name.
      requests: 4,
      summary: { done: 2, failed: 0, skipped: 0, unknown: 0 },
    });
    for (const action of ['create group.a', 'create network.n']) {
      const own = rest.filter(event => event.action === action);
      expect(own.map(({ type }) => type)).toEqual(['start', 'end']);
      expect(own[1]).toMatchObject({ status: 'done', remote_id: expect.any(String) });
    }
  }));

test('an apply with nothing to do reports a plan and a result', () =>
  inFolder(async cwd => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    await writeFile(join(cwd, 'network.yaml'), 'groups: [{ name: a }]\n');
    const env = environmentOf(account);
    await meshform(['apply', '--yes'], { env, cwd });
    const { code, stdout } = await meshform(['apply', '--yes', '--format', 'jsonl'], { env, cwd });
    expect(code).toBe(0);
    const types = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).type);
    expect(types).toEqual(['plan', 'result']);
  }));

// What the server refused was not done, and an undo does not speak of it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

test.each([400, 409])(
  'an undo does not report a create that the server refused with %i as done',
  status =>
    inFolder(async cwd => {
      const account = await startAccount();
      try {
        await writeFile(join(cwd, 'network.yaml'), 'groups: [{ name: a }, { name: b }]\n');
        const options = { env: environmentOf(account), cwd };
        const fault = { method: 'POST', path: '/api/groups', effect: 'status', times: 1 };
        await account.fault({ ...fault, status });
        const flags = ['--yes', '--journal', 'run.jsonl', '--concurrency', '1'];
        expect((await meshform(['apply', 'network.yaml', ...flags], options)).code).toBe(4);
        const allowed = ['--yes', '--allow', 'DELETES_OBJECT'];
        const undone = await meshform(['apply', '--undo', 'run.jsonl', ...allowed], options);
        expect(undone.code, undone.stderr).toBe(0);
        expect(undone.stderr).not.toContain('may have been created');
        expect(undone.stdout).toContain('1 to destroy');
      } finally {
        await account.close();
      }
    }),
);

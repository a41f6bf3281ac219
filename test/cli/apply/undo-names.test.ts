// A plan of an undo names what it deletes as people know it, also objects without a name field.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const FILES = `
groups: [{ name: a }]
networks: [{ name: n, routers: [{ peer_groups: [a], masquerade: true }] }]
routes:
  - { network_id: r, network: 10.2.0.0/16, peer_groups: [a], groups: [a], masquerade: true }
notification_channels:
  - { type: email, event_types: [user.join], target: { emails: [net@example.com] } }
`;

test('an undo names routes, routers and channels by their identity, and not by their ids', () =>
  inFolder(async cwd => {
    const account = await startAccount({ dialect: 'spec' });
    try {
      await writeFile(join(cwd, 'network.yaml'), FILES);
      const options = { env: environmentOf(account), cwd };
      const flags = ['--yes', '--journal', 'run.jsonl'];
      const applied = await meshform(['apply', 'network.yaml', ...flags], options);
      expect(applied.code, applied.stderr).toBe(0);
      const allowed = ['--yes', '--allow', 'DELETES_OBJECT'];
      const undone = await meshform(['apply', '--undo', 'run.jsonl', ...allowed], options);
      expect(undone.code, undone.stderr).toBe(0);
      const titles = undone.stdout.match(/(?<=# ).*(?= will be destroyed)/g);
      expect(titles).toEqual([
        'group.a',
        'network.n',
        'network_router.n/a',
        'notification_channel.net@example.com',
        'route["r 10.2.0.0/16 a"]',
      ]);
    } finally {
      await account.close();
    }
  }));

// Names of zones that lead elsewhere after a plan: each is a note that says where, and for whom.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { someOf } from '../../support/variations.ts';

const GROUPS = 'groups: [{ name: ops, peers: [laptop] }, { name: dev }]\n';
const zone = (records: string, { domain = 'corp.test', groups = 'ops', more = '' } = {}) =>
  `{ domain: ${domain}, name: c, distribution_groups: [${groups}], ${more}records: [${records}] }`;
const dns = (zones: string, more = '') => `${GROUPS}dns: { zones: [${zones}]${more} }\n`;
const WILD = '{ name: "*.corp.test", type: A, content: 10.0.0.1 }';
const MAIL = '{ name: mail.corp.test, type: A, content: 10.0.0.8 }';
const BOTH = `${WILD}, ${MAIL}`;
const ALIASES =
  '{ name: a.corp.test, type: CNAME, content: b.corp.test }, { name: b.corp.test, type: CNAME, content: mail.corp.test }';
const EVIL = '10.66.6.6';
const MORE = Array.from({ length: 6 }, (_, at) => `g${at}`).join(', ');
const MORE_GROUPS = `groups: [${MORE.replaceAll(/\w+/g, '{ name: $& }')}]\n`;
const many = (range: string) =>
  Array.from(
    { length: 5 },
    (_, at) => `{ name: n${at}.corp.test, type: A, content: ${range}.${at} }`,
  ).join(', ');
const servers = (ip: string, isPrimary = false) =>
  `, nameserver_groups: [{ name: n, nameservers: [{ ip: ${ip}, ns_type: udp, port: 53 }], groups: [ops], ${isPrimary ? 'primary: true' : 'domains: [example.test]'} }]`;

// Two groups with these machines, and a zone for both with a deeper one for the second.
const inBoth = (ops: string, dev: string) =>
  `groups: [{ name: ops, peers: [${ops}], lifecycle: { exact: [peers] } }, { name: dev, peers: [${dev}], lifecycle: { exact: [peers] } }]\n`;
const zonesOfBoth = `dns: { zones: [${zone(MAIL, { groups: 'ops, dev' })}, ${zone(`{ name: mail.corp.test, type: A, content: ${EVIL} }`, { domain: 'mail.corp.test', groups: 'dev' })}] }\n`;

async function notesOf(before: string, after: string): Promise<readonly string[]> {
  const account = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
  onTestFinished(() => account.close());
  for (const name of ['laptop', 'desktop']) await account.enrol(name);
  return await inFolder(async cwd => {
    const env = environmentOf(account);
    const run = (...words: string[]) => meshform(words, { env, cwd });
    await writeFile(join(cwd, 'before.yaml'), before);
    const applied = await run('apply', 'before.yaml', '--yes');
    expect(applied.code, applied.stderr).toBe(0);
    await writeFile(join(cwd, 'net.yaml'), after);
    const { code, stderr } = await run(
      'plan',
      'net.yaml',
      '--base',
      'before.yaml',
      '--prune',
      'removed',
    );
    expect(code, stderr).toBe(0);
    return stderr
      .replaceAll(/\s+/g, ' ')
      .split(/(?=\bnote |\bwarning |\bhint: )/)
      .filter(line => line.startsWith('note NAME_MOVES'))
      .map(line => line.slice('note NAME_MOVES '.length).trim());
  });
}

test.each(
  someOf(
    [
      [
        'a record below a wildcard',
        dns(zone(BOTH)),
        dns(zone(`${BOTH}, { name: db.corp.test, type: A, content: ${EVIL} }`)),
        [`\`db.corp.test\` leads to ${EVIL} instead of 10.0.0.1, for group/ops`],
      ],
      [
        'a record that goes, so that a wildcard answers',
        dns(zone(BOTH)),
        dns(zone(WILD)),
        ['`mail.corp.test` leads to 10.0.0.1 instead of 10.0.0.8, for group/ops'],
      ],
      [
        'a wildcard that goes',
        dns(zone(BOTH)),
        dns(zone(MAIL)),
        ['`*.corp.test` leads to nothing instead of 10.0.0.1, for group/ops'],
      ],
      [
        'a second address',
        dns(zone(BOTH)),
        dns(zone(`${BOTH}, { name: mail.corp.test, type: A, content: ${EVIL} }`)),
        [`\`mail.corp.test\` leads to 10.0.0.8 and ${EVIL} instead of 10.0.0.8, for group/ops`],
      ],
      [
        'an IPv6 address beside it',
        dns(zone(BOTH)),
        dns(zone(`${BOTH}, { name: mail.corp.test, type: AAAA, content: "fd00::66" }`)),
        ['`mail.corp.test` leads to 10.0.0.8 and fd00::66 instead of 10.0.0.8, for group/ops'],
      ],
      [
        'a deeper zone',
        dns(zone(BOTH)),
        dns(
          `${zone(BOTH)}, ${zone(`{ name: mail.corp.test, type: A, content: ${EVIL} }`, { domain: 'mail.corp.test' })}`,
        ),
        [`\`mail.corp.test\` leads to 10.0.0.8 and ${EVIL} instead of 10.0.0.8, for group/ops`],
      ],
      [
        'a zone that is disabled',
        dns(zone(MAIL)),
        dns(zone(MAIL, { more: 'enabled: false, ' })),
        [
          '`mail.corp.test` leads to what other DNS servers answer instead of 10.0.0.8, for group/ops',
        ],
      ],
      [
        'a zone for others',
        dns(zone(MAIL)),
        dns(zone(MAIL, { groups: 'dev' })),
        [
          '`mail.corp.test` leads to what other DNS servers answer instead of 10.0.0.8, for group/ops',
        ],
      ],
      [
        'a deeper zone, while the record of the zone around it gets another lifetime',
        dns(zone(BOTH)),
        dns(
          `${zone(BOTH.replace('10.0.0.8 }', '10.0.0.8, ttl: 60 }'))}, ${zone(`{ name: mail.corp.test, type: A, content: ${EVIL} }`, { domain: 'mail.corp.test', more: 'enable_search_domain: false, ' })}`,
        ),
        [`\`mail.corp.test\` leads to 10.0.0.8 and ${EVIL} instead of 10.0.0.8, for group/ops`],
      ],
      [
        'a record that other nameservers for its domain answered',
        dns('', servers('10.0.0.53')),
        dns(
          zone('{ name: db.example.test, type: A, content: 10.0.0.9 }', { domain: 'example.test' }),
          servers('10.0.0.53'),
        ),
        [
          '`db.example.test` leads to 10.0.0.9 instead of what nameserver_group.n answers (10.0.0.53), for group/ops',
        ],
      ],
      [
        'a group without a DNS configuration',
        dns(zone(MAIL), ', settings: { disabled_management_groups: [] }'),
        dns(zone(MAIL), ', settings: { disabled_management_groups: [ops] }'),
        [
          '`mail.corp.test` leads to what other DNS servers answer instead of 10.0.0.8, for group/ops',
        ],
      ],
      [
        'a zone of many groups that is disabled',
        MORE_GROUPS + dns(zone(MAIL, { groups: MORE })).replace(GROUPS, ''),
        MORE_GROUPS +
          dns(zone(MAIL, { groups: MORE, more: 'enabled: false, ' })).replace(GROUPS, ''),
        [
          '`mail.corp.test` leads to what other DNS servers answer instead of 10.0.0.8, for group/g0, group/g1, group/g2, group/g3, group/g4 and 1 more',
        ],
      ],
      [
        'a zone with many names that is disabled',
        dns(zone(`${many('10.0.0')}, ${MAIL}`)),
        dns(zone(`${many('10.0.0')}, ${MAIL}`, { more: 'enabled: false, ' })),
        [
          '6 names of the zone `corp.test` lead to what other DNS servers answer instead of where their records led, for group/ops: `mail.corp.test`, `n0.corp.test`, `n1.corp.test` and 3 more',
        ],
      ],
      [
        'a zone with many names below a wildcard',
        dns(zone(WILD)),
        dns(zone(`${WILD}, ${many('10.0.9')}`)),
        [
          '5 names of the zone `corp.test` lead elsewhere, for group/ops: `n0.corp.test` to 10.0.9.0 instead of 10.0.0.1, `n1.corp.test` to 10.0.9.1 instead of 10.0.0.1, `n2.corp.test` to 10.0.9.2 instead of 10.0.0.1 and 2 more',
        ],
      ],
      [
        'a record that becomes an alias of a name with another address',
        dns(zone(`${BOTH}, { name: db.corp.test, type: A, content: ${EVIL} }`)),
        dns(
          zone(
            `${WILD}, { name: db.corp.test, type: A, content: ${EVIL} }, { name: mail.corp.test, type: CNAME, content: db.corp.test }`,
          ),
        ),
        ['`mail.corp.test` leads to db.corp.test instead of 10.0.0.8, for ops'],
      ],
      [
        'a name at the end of aliases',
        dns(zone(`${MAIL}, ${ALIASES}`)),
        dns(zone(`${MAIL.replace('10.0.0.8', EVIL)}, ${ALIASES}`)),
        [
          `\`mail.corp.test\` leads to ${EVIL} instead of 10.0.0.8, for ops`,
          `\`a.corp.test\`, \`b.corp.test\` lead to ${EVIL} instead of 10.0.0.8, for group/ops`,
        ],
      ],
      [
        'a record that becomes an alias of a name with its address, but no alias of it',
        dns(zone(`${MAIL}, ${ALIASES}`)),
        dns(
          zone(
            `${ALIASES}, { name: mail.corp.test, type: CNAME, content: end.corp.test }, { name: end.corp.test, type: A, content: 10.0.0.8 }`,
          ),
        ),
        ['`mail.corp.test` leads to end.corp.test instead of 10.0.0.8, for ops'],
      ],
      [
        'a record that is replaced by one in another case',
        dns(zone(MAIL)),
        dns(zone(`{ name: Mail.corp.test, type: A, content: ${EVIL} }`)),
        [`\`Mail.corp.test\` leads to ${EVIL} instead of 10.0.0.8, for ops`],
      ],
      [
        'a deeper zone of the group that a machine joins',
        inBoth('laptop', 'desktop') + zonesOfBoth,
        inBoth('', 'desktop, laptop') + zonesOfBoth,
        [`\`mail.corp.test\` leads to 10.0.0.8 and ${EVIL} instead of 10.0.0.8, for peer/laptop`],
      ],
      [
        'a deeper zone of a further group that a machine joins',
        inBoth('laptop', 'desktop') + zonesOfBoth,
        inBoth('laptop', 'desktop, laptop') + zonesOfBoth,
        [`\`mail.corp.test\` leads to 10.0.0.8 and ${EVIL} instead of 10.0.0.8, for peer/laptop`],
      ],
      [
        'the zone of the group that machines leave',
        inBoth('laptop, desktop', '') + dns(zone(MAIL)).replace(GROUPS, ''),
        inBoth('', 'laptop, desktop') + dns(zone(MAIL)).replace(GROUPS, ''),
        [
          '`mail.corp.test` leads to what other DNS servers answer instead of 10.0.0.8, for peer/desktop, peer/laptop',
        ],
      ],
      [
        'a zone that a machine gets in place of nameservers',
        inBoth('laptop', '') +
          dns(
            zone('{ name: db.example.test, type: A, content: 10.0.0.9 }', {
              domain: 'example.test',
              groups: 'dev',
            }),
            servers('10.0.0.53'),
          ).replace(GROUPS, ''),
        inBoth('', 'laptop') +
          dns(
            zone('{ name: db.example.test, type: A, content: 10.0.0.9 }', {
              domain: 'example.test',
              groups: 'dev',
            }),
            servers('10.0.0.53'),
          ).replace(GROUPS, ''),
        [
          '`db.example.test` leads to 10.0.0.9 instead of what nameserver_group.n answers (10.0.0.53), for peer/laptop',
        ],
      ],
      [
        'some names of a group without a DNS configuration',
        dns(zone(BOTH), ', settings: { disabled_management_groups: [] }'),
        dns(zone(BOTH), ', settings: { disabled_management_groups: [ops] }'),
        [
          '2 names of the zone `corp.test` lead to what other DNS servers answer instead of where their records led, for group/ops: `*.corp.test`, `mail.corp.test`',
        ],
      ],
    ],
    3,
  ),
)('%s is reported as a moved name', async (_, before, after, says) => {
  expect(await notesOf(before, after)).toEqual(says);
});

test.each(
  someOf(
    [
      [
        'a new name',
        dns(zone(MAIL)),
        dns(zone(`${MAIL}, { name: db.corp.test, type: A, content: 10.0.0.9 }`)),
      ],
      [
        'a new name that nameservers for all names were asked for',
        dns(zone(MAIL), servers('10.0.0.53', true)),
        dns(
          zone(`${MAIL}, { name: db.corp.test, type: A, content: 10.0.0.9 }`),
          servers('10.0.0.53', true),
        ),
      ],
      [
        'other nameservers, which the plan shows',
        dns(zone(MAIL), servers('10.0.0.53')),
        dns(zone(MAIL), servers(EVIL)),
      ],
      [
        'the target of an alias in another case',
        dns(zone(`${MAIL}, ${ALIASES}`)),
        dns(zone(`${MAIL}, ${ALIASES.replace('content: mail', 'content: Mail')}`)),
      ],
      ['another lifetime', dns(zone(MAIL)), dns(zone(MAIL.replace(' }', ', ttl: 60 }')))],
      [
        'a zone that a machine gets with a further group',
        inBoth('laptop', '') + dns(zone(MAIL)).replace(GROUPS, ''),
        inBoth('laptop, desktop', '') + dns(zone(MAIL)).replace(GROUPS, ''),
      ],
      [
        'a machine that moves to a group which no zone names',
        inBoth('', 'laptop') + dns(zone(MAIL)).replace(GROUPS, ''),
        inBoth('', '') + dns(zone(MAIL)).replace(GROUPS, ''),
      ],
      [
        'a new zone',
        dns(zone(MAIL)),
        dns(
          `${zone(MAIL)}, ${zone('{ name: a.new.test, type: A, content: 10.0.0.9 }', { domain: 'new.test' })}`,
        ),
      ],
    ],
    3,
  ),
)('%s is not reported as a moved name', async (_, before, after) => {
  expect(await notesOf(before, after)).toEqual([]);
});

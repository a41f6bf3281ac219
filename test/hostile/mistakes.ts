// Command lines and files that are wrong, in hostile words: every fault repeats some of them.
import { asciiJson } from './disguise.ts';
import { fileName, type Ground } from './ground.ts';

/** Runs commands that end in faults. No argument of a process can hold a NUL or half a character. */
export async function mistakes({ run, server, write }: Ground, text: string): Promise<void> {
  const word = text.replaceAll('\0', '').toWellFormed();
  for (const [name, content] of Object.entries(wrongFiles(text)))
    await write(`wrong/${fileName(text)}${name}`, content);
  for (const format of ['text', 'json']) await run(['validate', 'wrong', '--format', format]);
  await run(['plan', 'wrong']);
  await write(fileName(`plan ${text}`), text);
  const there = 'small';
  await write('small/groups.yaml', 'groups: [{ name: a }]');
  for (const [i, argv] of linesOf(word, there).entries())
    await run(
      argv,
      i % 2 === 0 ? {} : { isTerminal: true, answer: 'no', env: { FORCE_COLOR: '1' } },
    );
  for (const [name, value] of Object.entries({
    MESHFORM_URL: word,
    MESHFORM_TOKEN: `${word}\n`,
    MESHFORM_JOURNALS: `/dev/null/${word}`,
  }))
    await run(['apply', there, '--yes'], { env: { [name]: value } });
  await run(['plan', there], {
    env: { MESHFORM_URL: `${server.url}/${encodeURIComponent(word)}` },
  });
  await run(['emulator', '--token', `x${word}`], { onDocument: (_, stop) => stop('SIGINT') });
}

const wrongFiles = (text: string): Readonly<Record<string, string>> => ({
  '.txt': text,
  '.yaml': asciiJson({ [`x${text}`]: [], groups: [{ name: text, [text]: text }, { name: text }] }),
  '2.yaml': asciiJson({
    groups: [{ name: { [text]: text } }, { name: 'g', peers: text }, text],
    networks: [
      { name: text, resources: [{ name: text, address: text, groups: [text, text] }] },
      { name: 'n', routers: [{ peer: text, metric: text }, { [text]: null }] },
    ],
    policies: [
      { name: text, rules: [{ name: text, sources: [text], ports: [text], protocol: text }] },
    ],
    setup_keys: [
      { name: text, type: text, expires_in: text, lifecycle: { [text]: text, was: text } },
    ],
    users: [
      { email: text, role: text, lifecycle: { id: text, ignore: [text], renew_before: text } },
    ],
    routes: [
      { network_id: text, network: text, domains: [text], peer: text, groups: [`${text}/a`] },
    ],
    service_users: [{ name: 'a', tokens: [{ name: `$\{env:${text}}`, expires_in: 1 }] }],
    event_streams: [{ platform: text, config: { api_key: `$\{file:${text}}` } }],
  }),
  '3.yaml': `groups: [{ name: a }\n${text}`,
  '4.yaml': `${text}\n: ${text}`,
});

function linesOf(word: string, there: string): readonly (readonly string[])[] {
  return [
    [word],
    [`--${word}`],
    ['help', word],
    ['validate', word],
    ['validate', there, `--${word}`],
    ['validate', there, word, word],
    ['plan', there, '--base', word],
    ['plan', there, '--kinds', word],
    ['plan', there, '--only', word],
    ['plan', there, '--except', `group/${word}`],
    ['plan', there, '--rotate', `group/${word}`],
    ['plan', there, '--allow', word],
    ['plan', there, '--resolve', word],
    ['plan', there, '--prune', word],
    ['plan', there, '--dialect', word],
    ['plan', there, '--timeout', word],
    ['plan', there, '--url', word],
    ['plan', there, '--token-file', word],
    ['plan', there, '--ca-file', word],
    ['plan', there, '--fingerprints', word],
    ['plan', there, '--format', word],
    ['plan', there, '--out', `nowhere/${word}`],
    ['show', word],
    ['show', `./${fileName(`plan ${word}`)}`],
    ['apply', `${word}.json`],
    ['apply', there, '--resume', word],
    ['apply', '--undo', word],
    ['apply', there, '--secrets-to', word],
    ['apply', there, '--secrets-to', `file:nowhere/${word}`],
    ['apply', there, '--yes', '--journal', `nowhere/${word}`],
    ['drift', there, '--format', word],
    ['export', '--kinds', word],
    ['export', '--only', word],
    ['export', '--only', `group/${word}`],
    ['export', '--out', `/dev/null/${word}`],
    ['export', '--check', word],
    ['explain', word],
    ['explain', `group.${word}`],
    ['api', word],
    ['api', 'list', word],
    ['api', 'describe', word],
    ['api', 'call', word],
    ['api', 'call', 'listGroups', '--param', word],
    ['api', 'call', 'listGroups', '--param', `a${word}=${word}`],
    ['api', 'call', 'getGroup', '--param', `groupId=${word}`],
    ['api', 'call', 'deleteGroup', '--param', `groupId=${word}`],
    ['api', 'call', 'createGroup', '--data', word],
    ['api', 'call', 'createGroup', '--data', `@${word}`],
    ['api', 'call', 'createGroup', '--data', JSON.stringify({ [word]: word })],
    ['api', 'call', 'createGroup', '--data', JSON.stringify({ name: 'a', [word]: word })],
    ['events', word],
    ['events', 'audit', '--since', word],
    ['events', 'audit', '--format', word],
    ['emulator', '--port', word],
    ['emulator', '--account', word],
    ['emulator', '--db', `nowhere/${word}`],
    ['init', there],
  ];
}

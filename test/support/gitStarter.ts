// Starts git for tests, as a small process: a worker of the tests has 300 MB in use, and the system copies the list of all its
// pages whenever it starts a program. Reads a request from each line of the first file, and writes an answer to the second.
import { spawnSync } from 'node:child_process';
import { createReadStream, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { GitAnswer, GitRequest } from './git.ts';

const [requests = '', answers = ''] = process.argv.slice(2);
const answering = openSync(answers, 'w');
for await (const line of createInterface({ input: createReadStream(requests) })) {
  const { args, env } = JSON.parse(line) as GitRequest;
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8', env });
  const answer: GitAnswer = { status, stdout, stderr };
  writeSync(answering, `${JSON.stringify(answer)}\n`);
}

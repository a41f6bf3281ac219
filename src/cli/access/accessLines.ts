// `access --format ndjson`: reads one account per line. For each account, writes one line that says
// who can reach what in it. Needs no files and no server.
import { reachRows } from '../../access/reachRows.ts';
import { type Answered, stateOfAnswers } from '../../access/state/stateOfAnswers.ts';
import { jsonLine, jsonOf } from '../../model/text/jsonText.ts';
import { isObject } from '../../model/value.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';

/** Answers the question for every account in `text`, and reports each line that contains no account. Returns the exit code. */
export function answerLines(text: string, source: string, io: Io): number {
  let faulty = 0;
  for (const [at, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue;
    const answered = accountIn(line);
    if ('faults' in answered) {
      faulty++;
      say(io.stderr, `${source}:${at + 1}: not an account: ${answered.faults[0]}`);
    } else {
      io.stdout.write(jsonLine({ reach: [...reachRows(answered.state)] }));
    }
  }
  return faulty === 0 ? EXIT.done : EXIT.invalid;
}

/** Parses one account, either alone or as `{"account": …}`. */
export function accountIn(text: string): Answered {
  const value = jsonOf(text);
  if (value === undefined) return { faults: ['it is not JSON'] };
  return stateOfAnswers(isObject(value) && value.account !== undefined ? value.account : value);
}

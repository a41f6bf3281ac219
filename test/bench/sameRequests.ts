// A process: the same requests as a run of the program, and nothing else; waves one after the other, four requests at a time.
import { readFileSync } from 'node:fs';

interface Line {
  readonly path: string;
  readonly body?: string;
}

const [url = '', file = ''] = process.argv.slice(2);
const waves: readonly (readonly Line[])[] = JSON.parse(readFileSync(file, 'utf8'));
const AT_A_TIME = 4;

for (const wave of waves) {
  const waiting = [...wave];
  const work = async (): Promise<void> => {
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) await send(line);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}

async function send({ path, body }: Line): Promise<void> {
  const answer = await fetch(`${url}${path}`, {
    headers: { authorization: 'Token bench-token', 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body }),
  });
  if (!answer.ok) throw new Error(`${path} returned ${answer.status}`);
  await answer.json();
}

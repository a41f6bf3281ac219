// `meshform emulator`, which a test starts, calls and interrupts.
import { expect } from 'vitest';
import { meshform } from '../../support/cli.ts';

export interface Ready {
  readonly url: string;
  readonly token: string;
  readonly controls_token: string;
  readonly accounts: readonly { readonly id: string; readonly token: string }[];
  readonly tenants: readonly {
    readonly id: string;
    readonly token: string;
    readonly name: string;
    readonly domain: string;
  }[];
}

/** Starts one, uses it, interrupts it; resolves to how it ended. */
export async function emulating(
  flags: readonly string[],
  use: (ready: Ready) => Promise<void>,
  cwd = process.cwd(),
) {
  const failures: unknown[] = [];
  const ended = await meshform(['emulator', '--format', 'json', ...flags], {
    cwd,
    onDocument: (text, interrupt) => {
      use(JSON.parse(text))
        .catch(error => failures.push(error))
        .finally(() => interrupt('SIGINT'));
    },
  });
  expect(failures).toEqual([]);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return ended;
}

export async function call(
  { url }: Ready,
  token: string,
  method: string,
  path: string,
  { body, userAgent = 'test' }: { readonly body?: unknown; readonly userAgent?: string } = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: token.includes(' ') ? token : `Token ${token}`,
      'user-agent': userAgent,
    },
    ...(text === undefined ? {} : { body: text }),
  });
  return { status: response.status, body: Object(await response.json()) };
}

export const names = async (ready: Ready, token = ready.token) => {
  const { body } = await call(ready, token, 'GET', '/api/groups');
  return [body]
    .flat()
    .map(({ name }) => name)
    .toSorted();
};

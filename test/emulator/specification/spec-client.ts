// A client as somebody would write it who has read nothing but the specification: a list is compared as a set, an error by
// its being one, a success by its being 2xx.
import { expect, onTestFinished } from 'vitest';
import { seededRandom, startEmulator } from '../../../src/emulator/index.ts';

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

type Call = (method: string, path: string, body?: object) => Promise<Answer>;

/** A client of an emulator that ends with the test. `control` calls the controls of the emulator, which no server has. */
export async function client(): Promise<Call & { control: Call; as: (token: string) => Call }> {
  const { url, token, controlsToken, close } = await startEmulator({
    controls: true,
    shuffle: true,
    random: seededRandom(3),
  });
  onTestFinished(close);
  const as =
    (secret: string): Call =>
    async (method, path, body) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          Authorization: `Token ${secret}`,
          Accept: 'application/json',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: Object(await response.json()) };
    };
  return Object.assign(as(token), { control: as(controlsToken), as });
}

export const SUCCESS = expect.toSatisfy((status: number) => status >= 200 && status < 300);
export const ERROR = expect.toSatisfy((status: number) => status >= 400 && status < 500);
/** A list of these, in any order. */
export const setOf = (...members: unknown[]) =>
  expect.toSatisfy(
    list =>
      list.length === members.length &&
      members.every(one => list.some((two: unknown) => sameJson(one, two))),
  );
const sameJson = (one: unknown, two: unknown) => JSON.stringify(one) === JSON.stringify(two);

// How many small reads a second the emulator answers, against a bare `node:http` server with the same bytes. The client writes
// requests ahead on a few connections and only counts the answers, so that the server is what is measured.
import { connect } from 'node:net';
import { snapshotFor } from './account.ts';
import type { Ground } from './extent.ts';
import { type Figure, figure } from './figures.ts';
import { spread } from './processes.ts';
import { bareServer, emulator, type Server } from './servers.ts';

const OBJECTS = 100;
const PATH = '/api/groups/staff-3';
const CONNECTIONS = 4;
const AHEAD = 16;

/** Measures the emulator in turn with a bare server. */
export async function emulatorSpeed(ground: Ground): Promise<readonly Figure[]> {
  const { folder, recording, extent } = ground;
  const emulated = await emulator(folder, snapshotFor(recording, OBJECTS));
  const answer = await fetch(`${emulated.url}${PATH}`, { headers: { authorization: TOKEN } });
  const bare = await bareServer(folder, { [PATH]: await answer.text() });
  try {
    const duration = extent.isQuick ? 500 : 2000;
    await perSecond(emulated, duration);
    await perSecond(bare, duration);
    const speeds: number[] = [];
    const ratios: number[] = [];
    for (let pair = 0; pair < extent.pairs; pair += 1) {
      const speed = await perSecond(emulated, duration);
      speeds.push(speed);
      ratios.push(speed / (await perSecond(bare, duration)));
    }
    return [
      figure('emulator ÷ bare server, small reads', spread(ratios), {
        unit: 'ratio',
        target: '≥ 0.4',
      }),
      figure('emulator, small reads', spread(speeds), { unit: 'per second' }),
    ];
  } finally {
    await Promise.all([emulated.stop(), bare.stop()]);
  }
}

const TOKEN = 'Token bench-token';
const REQUEST = `GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${TOKEN}\r\n\r\n`;
const ANSWERED = 'HTTP/1.1 200';

async function perSecond({ url }: Server, milliseconds: number): Promise<number> {
  const begun = performance.now();
  const counts = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => answersOn(Number(new URL(url).port), milliseconds)),
  );
  const answers = counts.reduce((sum, count) => sum + count, 0);
  return (answers / (performance.now() - begun)) * 1000;
}

function answersOn(port: number, milliseconds: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let count = 0;
    let rest = '';
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('data', (chunk: string) => {
      const parts = (rest + chunk).split(ANSWERED);
      rest = (parts.at(-1) ?? '').slice(-ANSWERED.length + 1);
      count += parts.length - 1;
      if (parts.length > 1) socket.write(REQUEST.repeat(parts.length - 1));
    });
    socket.on('connect', () => {
      socket.write(REQUEST.repeat(AHEAD));
      setTimeout(() => {
        socket.destroy();
        resolve(count);
      }, milliseconds);
    });
  });
}

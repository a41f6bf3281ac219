// A stand-in for the API of GitLab: who calls, and the notes of a merge request.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

interface Note {
  readonly id: number;
  readonly author: { readonly id: number };
  body: string;
}

/** The user of the token. */
const OWN_ID = 7;
export const NOTES_TOKEN = 'token-for-notes';

/** Starts the API. */
export async function startApi() {
  const notes: Note[] = [];
  const state = { status: 200 };
  const server = createServer((request, response) => {
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const answer = async () => {
      if (request.headers['private-token'] !== NOTES_TOKEN) return send(401, {});
      const body = new URLSearchParams(await text(request)).get('body') ?? '';
      const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://gitlab');
      if (state.status !== 200) return send(state.status, { message: 'refused' });
      const [, id] = /\/notes\/(\d+)$/.exec(path) ?? [];
      if (path.endsWith('/user')) return send(200, { id: OWN_ID });
      if (request.method === 'GET' && path.endsWith('/notes')) {
        const size = Number(searchParams.get('per_page'));
        const page = Number(searchParams.get('page'));
        response.setHeader('X-Next-Page', page * size < notes.length ? page + 1 : '');
        return send(200, notes.slice((page - 1) * size, page * size));
      }
      if (request.method === 'POST' && path.endsWith('/notes')) {
        notes.push({ id: notes.length + 1, author: { id: OWN_ID }, body });
        return send(201, notes.at(-1));
      }
      const note = notes.find(one => one.id === Number(id));
      if (request.method !== 'PUT' || note === undefined) return send(404, {});
      return send(200, Object.assign(note, { body }));
    };
    answer().catch(error => send(500, String(error)));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    notes,
    /** The status of every answer from now on. */
    answerWith: (status: number) => {
      state.status = status;
    },
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise(done => server.close(done)),
  };
}

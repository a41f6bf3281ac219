// Serves the files that pages link to, such as schemas and examples.
import type { APIRoute, GetStaticPaths } from 'astro';
import { linkedFiles, textOf } from '../../repository.ts';

export const getStaticPaths: GetStaticPaths = () =>
  linkedFiles().map(path => ({ params: { path } }));

export const GET: APIRoute = ({ params }) =>
  new Response(textOf(params.path ?? ''), {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });

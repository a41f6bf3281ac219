// What the bundle leaves out of its dependencies, because meshform does not use it.
import type { Plugin } from 'esbuild';

// The parser of the command line can start programs for commands that are in other files. Here no command is.
const noPrograms: Plugin = {
  name: 'no programs',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path: 'none', namespace: 'none' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: '', loader: 'js' }));
  },
};

// Of undici the connections: its `fetch`, web sockets, caches and mocks are more than half of it.
const CONNECTIONS = `
  const Dispatcher = require('undici/lib/dispatcher/dispatcher.js');
  Object.assign(Dispatcher.prototype, require('undici/lib/api/index.js'));
  exports.Agent = require('undici/lib/dispatcher/agent.js');
  exports.EnvHttpProxyAgent = require('undici/lib/dispatcher/env-http-proxy-agent.js');`;

const onlyConnections: Plugin = {
  name: 'only connections',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^undici$/ }, ({ path, resolveDir }) => ({
      ...{ path, namespace: 'connections' },
      pluginData: resolveDir,
    }));
    onLoad({ filter: /.*/, namespace: 'connections' }, ({ pluginData }) => ({
      ...{ contents: CONNECTIONS, resolveDir: String(pluginData), loader: 'js' },
    }));
  },
};

/** Plugins that leave it out. They go before those that resolve modules of Node. */
export const dependencies: readonly Plugin[] = [noPrograms, onlyConnections];

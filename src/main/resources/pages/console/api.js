// Talking to the service.

// The public calls this page makes; a test compares them with openapi.yaml.
export const PATHS = {
  list: '/v1/filters',
  filter: '/v1/filters/{name}',
  add: '/v1/filters/{name}/add',
  test: '/v1/filters/{name}/test',
  expiry: '/v1/filters/{name}/expiry',
  clear: '/v1/filters/{name}/clear',
  elements: '/v1/filters/{name}/elements',
  rebuild: '/v1/filters/{name}/rebuild',
  commit: '/v1/filters/{name}/rebuild/commit',
  overview: '/v1/overview',
  sizing: '/v1/sizing',
};

const KEY = 'bloomgate-key';

/** What a proxy, or a service without its Redis, answers. */
const AWAY = [502, 503, 504];

export const key = {
  get: () => sessionStorage.getItem(KEY),
  set: (value) => sessionStorage.setItem(KEY, value),
  forget: () => sessionStorage.removeItem(KEY),
};

export class Problem extends Error {
  /**
   * @param status 0 if there was no answer
   */
  constructor(title, detail, status = 400) {
    super(detail);
    this.title = title;
    this.status = status;
  }

  /** Whether it is the service that is missing, and not the request that is wrong. */
  get isAway() {
    return this.status === 0 || AWAY.includes(this.status);
  }
}

/** Calls the service; fails with a Problem. */
export async function call(method, path, { name, query, body, lines, signal } = {}) {
  const url = new URL(path.replace('{name}', encodeURIComponent(name ?? '')), location.origin);
  for (const [parameter, value] of Object.entries(query ?? {})) {
    if (value !== '' && value != null) {
      url.searchParams.set(parameter, value);
    }
  }
  const options = { method, signal, headers: { accept: 'application/json' } };
  if (key.get()) {
    options.headers.authorization = `Bearer ${key.get()}`;
  }
  if (body) {
    options.headers['content-type'] = 'application/json';
    options.body = JSON.stringify(body);
  } else if (lines) {
    options.headers['content-type'] = 'text/plain';
    options.body = lines;
  }
  let response;
  let text;
  try {
    response = await fetch(url, options);
    text = await response.text();
  } catch {
    throw new Problem('The service cannot be reached', 'Check that it runs, then try again.', 0);
  }
  let answer = null;
  try {
    answer = text ? JSON.parse(text) : null;
  } catch {
    answer = null;
  }
  if (!response.ok) {
    throw new Problem(
      answer?.title ?? `The service answered ${response.status}`,
      answer?.detail ?? 'There is no explanation. Look at the log of the service.',
      response.status);
  }
  return answer;
}

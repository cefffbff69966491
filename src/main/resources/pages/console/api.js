// Requests to the service.

// A proxy may strip a prefix from the path. The page is then served below it.
const ROOT = new URL('.', document.baseURI);

// The public operations that the page uses. A test compares them with openapi.yaml.
export const PATHS = {
  list: '/v1/filters',
  filter: '/v1/filters/{name}',
  add: '/v1/filters/{name}/add',
  test: '/v1/filters/{name}/test',
  remove: '/v1/filters/{name}/remove',
  count: '/v1/filters/{name}/count',
  expiry: '/v1/filters/{name}/expiry',
  clear: '/v1/filters/{name}/clear',
  rename: '/v1/filters/{name}/rename',
  copy: '/v1/filters/{name}/copy',
  merge: '/v1/filters/{name}/merge',
  export: '/v1/filters/{name}/export',
  import: '/v1/filters/{name}/import',
  elements: '/v1/filters/{name}/elements',
  rebuild: '/v1/filters/{name}/rebuild',
  load: '/v1/filters/{name}/rebuild/add',
  commit: '/v1/filters/{name}/rebuild/commit',
  run: '/v1/filters/{name}/rebuild/run',
  source: '/v1/filters/{name}/source',
  several: '/v1/test',
  addSeveral: '/v1/add',
  overview: '/v1/overview',
  sizing: '/v1/sizing',
};

// The same tab may later show another Bloomgate on this host, with its own keys.
const KEY = `bloomgate-key ${ROOT.pathname}`;

/** The responses of a proxy, or of a service without its Redis. */
const AWAY = [502, 503, 504];

/** The storage of the tab. If the browser blocks it, the key is kept until the page is left. */
function storage() {
  try {
    return sessionStorage;
  } catch {
    const kept = new Map();
    return {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => kept.set(name, value),
      removeItem: (name) => kept.delete(name),
    };
  }
}

const tab = storage();

export const key = {
  get: () => tab.getItem(KEY),
  set: (value) => tab.setItem(KEY, value),
  forget: () => tab.removeItem(KEY),
};

export class Problem extends Error {
  /**
   * @param status 0 if there was no response
   * @param code the error code; undefined if the service did not send one
   */
  constructor(title, detail, status = 400, code = undefined) {
    super(detail);
    this.title = title;
    this.status = status;
    this.code = code;
  }

  /** Whether the service is unavailable, rather than the request invalid. */
  get isAway() {
    return this.status === 0 || AWAY.includes(this.status);
  }
}

/** The problem of a request without a response. */
export const noAnswer = () =>
  new Problem('The service cannot be reached', 'Check that it is running, then try again.', 0);

export function address({ path, name, query }) {
  const url = new URL(`.${path.replace('{name}', encodeURIComponent(name ?? ''))}`, ROOT);
  for (const [parameter, value] of Object.entries(query ?? {})) {
    if (value !== '' && value != null) {
      url.searchParams.set(parameter, value);
    }
  }
  return url;
}

/** The headers of a request, with the key of this tab. */
export function headers({ body, type }) {
  const all = { accept: 'application/json' };
  if (key.get()) {
    all.authorization = `Bearer ${key.get()}`;
  }
  if (body || type) {
    all['content-type'] = type ?? 'application/json';
  }
  return all;
}

/** The last responses to repeated requests, with their tags. The oldest is dropped first. */
const MOST_HELD = 20;
const held = new Map();

/** Responses to another key must not be reused. */
export const forgetAnswers = () => held.clear();

/** The content of a response. Throws a Problem on an error. */
export function answerOf(status, text) {
  let answer = null;
  try {
    answer = text ? JSON.parse(text) : null;
  } catch {
    answer = null;
  }
  if (status < 200 || status > 299) {
    throw new Problem(
      answer?.title ?? `The service responded with status ${status}`,
      answer?.detail ?? 'The response has no details. See the log of the service.',
      status, answer?.code);
  }
  return answer;
}

async function ask(request, more, signal) {
  const { method, body } = request;
  // A header that cannot be sent is not a service that cannot be reached.
  const sent = new Headers({ ...headers(request), ...more });
  try {
    const response = await fetch(
      address(request), { method, signal, headers: sent, body: body && JSON.stringify(body) });
    return { status: response.status, tag: response.headers.get('etag'), text: await response.text() };
  } catch {
    throw noAnswer();
  }
}

/** Sends a request: a `method` and a `path`, and optionally the `name` of a filter, a `query`, a `body`. */
export async function send(request, signal) {
  const { status, text } = await ask(request, {}, signal);
  return answerOf(status, text);
}

/** Sends a request that creates something. Returns whether it was created, rather than found as it is. */
export async function creates(request) {
  const { status, text } = await ask(request, {});
  answerOf(status, text);
  return status === 201;
}

export const call = (method, path, { signal, ...rest } = {}) => send({ method, path, ...rest }, signal);

/**
 * Repeats a request. The response may be a second old, so that tabs share it. If it has not
 * changed, it is not sent again, and the same object is returned.
 */
export async function look(path, { signal, ...rest }) {
  const request = { method: 'GET', path, ...rest };
  const { href } = address(request);
  const last = held.get(href);
  const { status, tag, text } = await ask(
    request, { 'cache-control': 'max-age=1', ...(last && { 'if-none-match': last.tag }) }, signal);
  const answer = status === 304 && last ? last.answer : answerOf(status, text);
  held.delete(href);
  held.set(href, { tag: status === 304 ? last.tag : tag, answer });
  if (held.size > MOST_HELD) {
    held.delete(held.keys().next().value);
  }
  return answer;
}

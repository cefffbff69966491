/**
 * Middleware for Express or plain `http` that answers 404 for ids that certainly do not exist, before they reach the
 * database. `elementOf(request)` returns the requested id, or undefined to let the request pass.
 */
export function guard({ filter, elementOf, url = 'http://localhost:8080', milliseconds = 100, failOpen = true }) {
  const headers = process.env.BLOOMGATE_KEY ? { Authorization: `Bearer ${process.env.BLOOMGATE_KEY}` } : {};

  async function mightContain(element) {
    const signal = AbortSignal.timeout(milliseconds);
    const ask = () => fetch(`${url}/v1/filters/${filter}/test?element=${encodeURIComponent(element)}`, { headers, signal });
    // A reused connection may have been closed.
    const answer = await ask().catch(ask);
    const body = await answer.json();
    // Not a "no": 404 means that the filter does not exist.
    if (answer.status !== 200) throw new Error(`${answer.status} ${body.code}: ${body.detail}`);
    return body.mightContain[0];
  }

  return async (request, response, next) => {
    let element;
    try {
      element = elementOf(request);
    } catch (error) {
      return next(error);
    }
    let status = 200;
    if (element !== undefined) {
      try {
        // If there are several ids, as in a query, the program may use a different one than the guard checked.
        if (typeof element === 'object' || !(await mightContain(element))) status = 404;
      } catch (error) {
        console.warn('The filter cannot be queried:', error);
        if (!failOpen) status = 503;
      }
    }
    if (status === 200) return next();
    response.statusCode = status;
    response.end();
  };
}

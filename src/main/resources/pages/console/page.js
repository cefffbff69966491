// Building the page, with text only, and what goes on beside its contents.

export const $ = (id) => document.getElementById(id);

export function element(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) {
    made.className = className;
  }
  made.append(...content);
  return made;
}

export function drawing(tag, attributes, ...content) {
  const made = document.createElementNS($('bar').namespaceURI, tag);
  for (const [attribute, value] of Object.entries(attributes)) {
    made.setAttribute(attribute, value);
  }
  made.append(...content);
  return made;
}

export function figure(label, value, explanation) {
  const definition = element('dd', '', value);
  if (explanation) {
    definition.append(element('small', '', explanation));
  }
  return element('div', '', element('dt', '', label), definition);
}

/** Puts something in the place of what an element has; what is the same stays, with what is marked in it. */
export function fill(place, ...content) {
  const filled = place.cloneNode(false);
  filled.append(...content);
  const now = [...place.childNodes];
  const wanted = [...filled.childNodes];
  wanted.forEach((child, index) => {
    if (!now[index]) {
      place.append(child);
    } else if (!now[index].isEqualNode(child)) {
      now[index].replaceWith(child);
    }
  });
  now.slice(wanted.length).forEach((child) => child.remove());
}

export function say(text) {
  $('status').textContent = text;
}

/* ---- What went wrong ---- */

const ADVICE = {
  401: 'Press “Key …” at the top to use another key.',
  403: 'What the key that is used may do stands at the top; “Key …” takes another one.',
  429: 'Wait a little, then try again.',
};

/** Stays until it is dismissed, or something else is asked for. */
export function showProblem(problem) {
  const box = $('problem');
  box.querySelector('[data-title]').textContent = problem.title ?? 'This page failed';
  box.querySelector('[data-detail]').textContent = [problem.message, ADVICE[problem.status]].filter(Boolean).join(' ');
  box.hidden = false;
  box.scrollIntoView({ block: 'nearest' });
}

export function hideProblem() {
  $('problem').hidden = true;
}

/* ---- What is asked for ---- */

const watchers = [];

/** Has what went wrong looked at, before it is shown. */
export function onFailure(watcher) {
  watchers.push(watcher);
}

/** Shows what went wrong; what a field says already is not said twice. */
export function fail(problem) {
  if (!(problem instanceof Refusal)) {
    watchers.forEach((watcher) => watcher(problem));
    showProblem(problem);
  }
}

/** Runs what a click asks for, once at a time for a button, and shows what goes wrong. */
export async function attempt(work, button) {
  hideProblem();
  const hasFocus = document.activeElement === button;
  if (button) {
    button.dataset.busy = '';
    button.disabled = true;
  }
  try {
    await work();
  } catch (problem) {
    fail(problem);
  } finally {
    if (button) {
      delete button.dataset.busy;
      button.disabled = 'off' in button.dataset;
      // A button that is disabled loses the focus, also to a dialog that is closed.
      const now = document.activeElement;
      if (hasFocus && (now === document.body || !now.checkVisibility())) {
        button.focus();
      }
    }
  }
}

/** Whether a button may be pressed, once it is not busy. */
export function enable(id, isEnabled) {
  const button = $(id);
  if (isEnabled) {
    delete button.dataset.off;
  } else {
    button.dataset.off = '';
  }
  button.disabled = !isEnabled || 'busy' in button.dataset;
}

export function onSubmit(id, work) {
  $(id).addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(() => work(event.submitter), event.submitter);
  });
}

export function onClick(id, work) {
  $(id).addEventListener('click', (event) => attempt(work, event.currentTarget));
}

export function show(view) {
  $('columns').dataset.view = view;
  for (const id of ['welcome', 'creation', 'described']) {
    $(id).hidden = id !== view;
  }
}

/* ---- Fields that are read while they are written ---- */

/**
 * Shows beside a field what is understood of it, or why nothing is.
 *
 * @param read gives `{ value }` or `{ problem }`
 * @param words what is shown for a value
 * @return a function that gives the value; it fails, with the field in focus, if there is none
 */
export function field(id, read, words) {
  const input = $(id);
  const hint = $(`${id}-hint`);
  const show = () => {
    const { value, problem } = read(input.value);
    hint.textContent = problem ?? words(value);
    hint.classList.toggle('wrong', Boolean(problem));
    input.setAttribute('aria-invalid', String(Boolean(problem)));
    return { value, problem };
  };
  input.addEventListener('input', show);
  const get = () => {
    const { value, problem } = show();
    if (problem) {
      input.focus();
      throw new Refusal();
    }
    return value;
  };
  return { show, get };
}

/** A field says already what is wrong. */
export class Refusal extends Error {}

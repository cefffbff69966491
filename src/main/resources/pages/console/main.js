// Starts the page.

import { forgetAnswers } from './api.js';
import { fail } from './attempt.js';
import { answered, isPolled, keepFresh, missed, soon } from './connection.js';
import { follow, refresh } from './filter.js';
import { refused } from './key.js';
import { forgetList, list, refreshList } from './list.js';
import { render } from './lit.js';
import { forgetOverview, overview } from './overview.js';
import { page } from './page.js';
import { $, onChange, state, update } from './state.js';

/** A different title for each view, so that tabs and bookmarks can be distinguished. */
const title = () => [{ creation: 'New filter', several: 'Several filters', described: state.name }[state.view], 'Bloomgate'].filter(Boolean).join(' · ');

let isDrawing = false;
let isOutdated = false;

/** A field that is removed with fresh text reports a change while the page is being rendered. */
function draw() {
  isOutdated = true;
  if (isDrawing) {
    return;
  }
  isDrawing = true;
  try {
    while (isOutdated) {
      isOutdated = false;
      drawOnce();
    }
  } finally {
    isDrawing = false;
  }
}

function drawOnce() {
  const focused = document.activeElement;
  render(page(otherKey), document.body);
  document.title = title();
  if (focused !== document.activeElement && focused.isConnected) {
    // A row that moves loses the focus.
    focused.focus();
  }
}

async function begin() {
  const before = state.signIn;
  try {
    await Promise.all([list(), overview()]);
    answered();
  } catch (problem) {
    if (problem.status === 401) {
      refused();
      return;
    }
    // What polling also reports needs no second message.
    (isPolled(problem) ? missed : fail)(problem);
  }
  // The user may have opened the sign-in page during the requests.
  if (state.signIn === before) {
    update({ signIn: null });
  }
  await follow();
}

/** Drops the data of another key, and starts again. */
async function otherKey() {
  forgetAnswers();
  forgetList();
  forgetOverview();
  await begin();
  soon();
}

/** The requests that each view polls. */
const LOOKS = {
  list: (signal) => [refreshList(signal), overview(signal), refresh(signal)],
  creation: (signal) => [overview(signal)],
  several: (signal) => [overview(signal)],
  described: (signal) => [refresh(signal), state.overview && !state.transfer ? null : overview(signal)],
  signIn: () => [],
};

onChange(draw);
update();
window.addEventListener('hashchange', () => {
  // A dialog belongs to the view that the browser leaves.
  $('confirm').close();
  follow();
});
begin();
keepFresh((signal) => Promise.all(LOOKS[state.signIn ? 'signIn' : state.view](signal)));

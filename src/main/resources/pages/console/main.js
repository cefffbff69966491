// Starts the page.

import { forgetAnswers } from './api.js';
import { fail } from './attempt.js';
import { answered, keepFresh, missed, soon } from './connection.js';
import { follow, refresh } from './filter.js';
import { health } from './health.js';
import { refused } from './key.js';
import { forgetList, list, refreshList } from './list.js';
import { render } from './lit.js';
import { forgetOverview, overview } from './overview.js';
import { page } from './page.js';
import { $, onChange, state, update } from './state.js';

/** A different title for each view, so that tabs and bookmarks can be distinguished. */
const title = () => [{ creation: 'New filter', several: 'Test in several filters', described: state.name }[state.view], 'Bloomgate'].filter(Boolean).join(' · ');

function draw() {
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
    // An unavailable service is polled, and needs no permanent message.
    (problem.isAway ? missed : fail)(problem);
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
  list: (signal) => [refreshList(signal), overview(signal), refresh(signal), health(signal)],
  creation: (signal) => [overview(signal), health(signal)],
  several: (signal) => [overview(signal), health(signal)],
  described: (signal) => [refresh(signal), health(signal), state.overview ?? overview(signal)],
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

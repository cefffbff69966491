// What begins when the page is there.

import { forgetAnswers } from './api.js';
import { fail } from './attempt.js';
import { answered, keepFresh, missed, soon } from './connection.js';
import { follow, refresh } from './filter.js';
import { health } from './health.js';
import { forgetList, list, refreshList } from './list.js';
import { render } from './lit.js';
import { forgetOverview, overview } from './overview.js';
import { page } from './page.js';
import { onChange, update } from './state.js';

function draw() {
  const focused = document.activeElement;
  render(page(otherKey), document.body);
  if (focused !== document.activeElement && focused.isConnected) {
    // A row that goes to another place loses the focus.
    focused.focus();
  }
}

async function begin() {
  try {
    await Promise.all([list(), overview()]);
    answered();
  } catch (problem) {
    // A service that is away is looked for again and again, and needs no message that stays.
    (problem.isAway ? missed : fail)(problem);
  }
  await follow();
}

/** What was shown with another key is not shown any more. */
async function otherKey() {
  forgetAnswers();
  forgetList();
  forgetOverview();
  await begin();
  soon();
}

onChange(draw);
update();
window.addEventListener('hashchange', follow);
begin();
keepFresh((signal) => Promise.all([refreshList(signal), overview(signal), refresh(signal), health(signal)]));

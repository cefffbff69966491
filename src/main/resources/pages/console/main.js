// What begins when the page is there, and which click does what.

import { forgetAnswers } from './api.js';
import { ask } from './ask.js';
import { abort, clear, commit, expire, keep, merge, openRebuild, runSource } from './actions.js';
import { answered, keepFresh, missed, soon } from './connection.js';
import { create, openCreation } from './create.js';
import { describe, follow, refresh } from './filter.js';
import { health } from './health.js';
import { onOtherKey } from './key.js';
import { load } from './load.js';
import { copy, exportFile, importFile, remove, rename } from './moves.js';
import { back, first, forgetList, forward, list, refreshList, search, sort } from './list.js';
import { forgetOverview, overview } from './overview.js';
import { $, attempt, fail, hideProblem, onClick, onSubmit } from './page.js';
import { state } from './state.js';

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

onSubmit('search', search);
$('sort').addEventListener('change', () => attempt(sort));
$('rows').addEventListener('click', (event) => {
  // The address does not change when the filter is chosen again, after the form to create one.
  if (event.target.closest('a')?.dataset.name === state.name) {
    follow();
  }
});
onSubmit('create', create);
onSubmit('elements', (button) => ask(button?.value || 'test'));
onClick('first', first);
onClick('back', back);
onClick('forward', forward);
$('page-size').addEventListener('change', () => attempt(first));
onClick('refresh', () => Promise.all([describe(state.name), list()]));
onClick('expire', expire);
onClick('keep', keep);
onClick('clear', clear);
onSubmit('load-form', load);
onClick('merge', merge);
onClick('rename', rename);
onClick('copy', copy);
onClick('export', exportFile);
onClick('import', importFile);
onClick('import-new', importFile);
onClick('open-rebuild', openRebuild);
onClick('run', runSource);
onClick('commit', commit);
onClick('abort', abort);
onClick('delete', remove);
onOtherKey(() => {
  // What was shown with another key is not shown any more.
  forgetAnswers();
  forgetList();
  forgetOverview();
  begin().then(soon);
});
$('new').addEventListener('click', openCreation);
$('create').querySelector('[data-cancel]').addEventListener('click', follow);
$('problem').querySelector('[data-close]').addEventListener('click', hideProblem);
window.addEventListener('hashchange', follow);

begin();
keepFresh((signal) => Promise.all([refreshList(signal), overview(signal), refresh(signal), health(signal)]));

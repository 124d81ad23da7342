// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Every text of the page, by key. A language is one more table; keys it lacks are English.

import { english } from './words_en.js';
import { german } from './words_de.js';

export const languages = { en: 'English', de: 'Deutsch' };

const tables = { en: english, de: german };

let chosen = 'en';
export function speak(language) {
    chosen = tables[language] ? language : 'en';
    document.documentElement.lang = chosen;
    for (const element of document.querySelectorAll('[data-word]')) element.textContent = word(element.dataset.word);
    for (const element of document.querySelectorAll('[data-name]')) {
        element.setAttribute('aria-label', word(element.dataset.name));
        element.title = word(element.dataset.name) + (element.dataset.key ? ` (${element.dataset.key})` : '');
    }
}
export function word(key, values = {}, otherwise = key) {
    const text = tables[chosen][key] ?? tables.en[key] ?? otherwise;
    return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}
export const keysOf = (language) => Object.keys(tables[language]);

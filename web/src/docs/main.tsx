import { render } from 'preact';
import { DocsPage } from './docs-page.tsx';

const root = document.getElementById('root');
if (root !== null) render(<DocsPage />, root);

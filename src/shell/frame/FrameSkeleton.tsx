/** The frame at its true sizes while the menu is on its way, so that nothing moves when it comes. */
export function FrameSkeleton({ failed }: { failed: boolean }) {
  return (
    <div className="frame" aria-busy={!failed}>
      <div className="frame-rail" />
      <div className="frame-main">
        <div className="frame-header" />
        <div className="frame-sheet">
          {failed && (
            <div className="frame-notice" role="alert">
              菜单加载失败，正在返回登录页
            </div>
          )}
        </div>
      </div>
    </div>
  );
}
